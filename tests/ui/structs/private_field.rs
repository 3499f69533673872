use weldment::weld;

mod bank {
    #[derive(Clone, Copy, weldment::Weld)]
    pub struct Account {
        pub id: i64,
        balance: f64,
    }

    pub fn account(id: i64) -> Account {
        Account { id, balance: 0.0 }
    }
}

use bank::Account;

fn main() {
    let kernel = weld!(|a: &[Account]| a.map(|a| a.balance).sum());
    println!("{}", kernel(&[bank::account(1)]));
}
