use weldment::weld;

mod bank {
    #[derive(Clone, Copy, weldment::Weld)]
    pub struct Wallet {
        pub id: i64,
        balance: f64,
    }

    pub fn wallet(id: i64) -> Wallet {
        Wallet { id, balance: 0.0 }
    }
}

use bank::Wallet;

fn main() {
    let kernel = weld!(|a: &[Wallet]| a.map(|a| a.balance).sum());
    println!("{}", kernel(&[bank::wallet(1)]));
}
