//! The tables that the queries with joins read, column by column, as `dbgen` writes them.

use rayon::prelude::*;
use tpchgen::distribution::Distributions;
use tpchgen::generators::{
    CustomerGenerator, OrderGenerator, PartGenerator, PartSuppGenerator, SupplierGenerator,
};

use super::super::data::{Lineitem, TEXT};

/// What the queries read; `lineitem` is that of the others.
pub(crate) struct Tables<'t> {
    pub(crate) lineitem: &'t Lineitem,
    pub(crate) orders: Orders,
    pub(crate) customer: Customer,
    pub(crate) part: Part,
    pub(crate) partsupp: Partsupp,
    pub(crate) supplier: Supplier,
}

#[derive(Default)]
pub(crate) struct Orders {
    pub(crate) orderkey: Vec<i64>,
    pub(crate) custkey: Vec<i64>,
    /// Days since 1970-01-01.
    pub(crate) orderdate: Vec<i32>,
    pub(crate) shippriority: Vec<i32>,
    pub(crate) comment: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Customer {
    pub(crate) custkey: Vec<i64>,
    pub(crate) mktsegment: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Part {
    pub(crate) partkey: Vec<i64>,
    pub(crate) brand: Vec<String>,
    pub(crate) ty: Vec<String>,
    pub(crate) size: Vec<i32>,
}

#[derive(Default)]
pub(crate) struct Partsupp {
    pub(crate) partkey: Vec<i64>,
    pub(crate) suppkey: Vec<i64>,
}

#[derive(Default)]
pub(crate) struct Supplier {
    pub(crate) suppkey: Vec<i64>,
    pub(crate) comment: Vec<String>,
}

impl Tables<'_> {
    /// Generates what is missing beside `lineitem`. Two queries look into comments, those of orders and of suppliers: these are drawn
    /// from the whole text of the specification, 300 MiB, which is written first.
    pub(crate) fn generate(scale: f64, lineitem: &Lineitem) -> Tables<'_> {
        let (mut customer, mut part, mut partsupp, mut supplier) =
            (Customer::default(), Part::default(), Partsupp::default(), Supplier::default());
        let distributions = Distributions::static_default();
        let customers =
            CustomerGenerator::new_with_distributions_and_text_pool(scale, 1, 1, distributions, &TEXT);
        for row in customers.iter() {
            customer.custkey.push(row.c_custkey);
            customer.mktsegment.push(row.c_mktsegment.to_owned());
        }
        let parts = PartGenerator::new_with_distributions_and_text_pool(scale, 1, 1, distributions, &TEXT);
        for row in parts.iter() {
            part.partkey.push(row.p_partkey);
            part.brand.push(row.p_brand.to_string());
            part.ty.push(row.p_type.to_owned());
            part.size.push(row.p_size);
        }
        for row in PartSuppGenerator::new_with_text_pool(scale, 1, 1, &TEXT).iter() {
            partsupp.partkey.push(row.ps_partkey);
            partsupp.suppkey.push(row.ps_suppkey);
        }
        for row in SupplierGenerator::new(scale, 1, 1).iter() {
            supplier.suppkey.push(row.s_suppkey);
            supplier.comment.push(row.s_comment);
        }
        Tables { lineitem, orders: Orders::generate(scale), customer, part, partsupp, supplier }
    }
}

impl Orders {
    fn generate(scale: f64) -> Orders {
        let parts = ((scale * 24.0) as i32).clamp(1, 24_000);
        let of_part = |part| {
            let mut orders = Orders::default();
            for row in OrderGenerator::new(scale, part, parts).iter() {
                orders.orderkey.push(row.o_orderkey);
                orders.custkey.push(row.o_custkey);
                orders.orderdate.push(row.o_orderdate.to_unix_epoch());
                orders.shippriority.push(row.o_shippriority);
                orders.comment.push(row.o_comment.to_owned());
            }
            orders
        };
        let parts: Vec<Orders> = (1..=parts).into_par_iter().map(of_part).collect();
        parts.into_iter().fold(Orders::default(), |mut all, part| {
            all.orderkey.extend(part.orderkey);
            all.custkey.extend(part.custkey);
            all.orderdate.extend(part.orderdate);
            all.shippriority.extend(part.shippriority);
            all.comment.extend(part.comment);
            all
        })
    }
}
