use std::collections::HashMap;

use weldment::weld;

fn main() {
    let kernel = weld!(|m: &HashMap, names: &[std::string::String], t: std::time::Instant, p: ::std::net::IpAddr| len(m));
    let _: (_, HashMap<i64, f64>) = (kernel, HashMap::new());
}
