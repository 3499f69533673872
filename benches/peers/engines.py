"""The engines of others as contestants of the benchmarks: one process per engine and contest.

    python engines.py ENGINE THREADS

reads one request of JSON a line, and answers each with one line of JSON:

    {"load": {"x": {"type": "f8", "path": …}}, "query": "sum_of_squares", "with": {}}   {}
    {"time": "cpu" | "wall"}                                                     {"seconds": 0.1}
    {"answer": FOLDER}                                                           {"columns": [["f8", path], …]}

Columns are files of little-endian numbers; `orders.date` is a column of the table `orders`, `date` one of the table `t`. Every engine reads them from memory of its own, in its own form; loading is not
timed. A result is timed up to where it is a table in memory that the caller holds.
"""

import json
import os
import sys
import time


def tables(columns):
    tables = {}
    for name, column in columns.items():
        table, _, name = name.rpartition(".")
        tables.setdefault(table or "t", {})[name] = column
    return tables


class Polars:
    """The queries as lazy frames, which polars optimises itself."""

    def __init__(self, threads):
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars

        self.pl = polars

    def load(self, columns, query, given):
        pl = self.pl
        frames = {name: pl.DataFrame(table).lazy() for name, table in tables(columns).items()}
        frame, x, key = frames["t"], pl.col("x"), pl.col("key")
        self.plan = {
            "sum_of_squares": lambda: frame.select((x * x).sum()),
            "chain": lambda: frame.filter(x > 0.25).select((3.0 * x + 1.0).sum()),
            "filter": lambda: frame.filter(x < given["most"]),
            "count_by": lambda: frame.group_by(key).agg(pl.len().cast(pl.Int64).alias("n")),
            "sum_by": lambda: frame.group_by(key).agg(pl.col("value").sum()),
            "q6": lambda: frame.filter(
                (pl.col("ship") >= 8766)
                & (pl.col("ship") < 9131)
                & (pl.col("discount") >= 0.05)
                & (pl.col("discount") <= 0.07)
                & (pl.col("quantity") < 24.0)
            ).select((pl.col("price") * pl.col("discount")).sum()),
            "q1": self.q1(frame),
            "q3": self.q3(frames),
            "sort": lambda: frame.sort("x"),
            "sort_rows": lambda: frame.sort("key", maintain_order=True),
            "join": lambda: frame.join(frames["build"], on="key").select(
                pl.len().cast(pl.Int64).alias("n"), pl.col("value").sum()
            ),
            "statistics": lambda: frame.select(
                (x > 0.0).sum().cast(pl.Int64).alias("n"),
                x.sum().alias("sum"),
                (x * x).sum().alias("squares"),
                (x * x * x).sum().alias("cubes"),
                x.min().alias("least"),
                x.max().alias("greatest"),
                x.filter(x > 0.0).sum().alias("positive"),
            ),
        }[query]()

    def q1(self, frame):
        pl = self.pl
        quantity, price, discount, tax = (pl.col(c) for c in ("quantity", "price", "discount", "tax"))
        return lambda: (
            frame.filter(pl.col("ship") <= 10471)
            .group_by("flag", "status")
            .agg(
                quantity.sum(),
                price.sum(),
                (price * (1.0 - discount)).sum().alias("discounted"),
                (price * (1.0 - discount) * (1.0 + tax)).sum().alias("charge"),
                discount.sum(),
                pl.len().cast(pl.Int64).alias("n"),
            )
        )

    def q3(self, frames):
        pl = self.pl
        return lambda: (
            frames["t"]
            .filter(pl.col("ship") > 9204)
            .join(
                frames["orders"]
                .filter(pl.col("date") < 9204)
                .join(frames["customer"].filter(pl.col("segment") == 1), left_on="by", right_on="customer"),
                on="order",
            )
            .group_by("order", "date", "priority")
            .agg((pl.col("price") * (1.0 - pl.col("discount"))).sum().alias("revenue"))
            .sort("revenue", "date", descending=[True, False])
            .head(10)
            .select("order", "revenue", "date", "priority")
        )

    def run(self):
        return self.plan.collect()

    def columns(self, result):
        return [result[name].to_numpy() for name in result.columns]


class DuckDB:
    """The queries in SQL over a table of DuckDB's own, in memory."""

    SQL = {
        "sum_of_squares": "SELECT sum(x * x) FROM t",
        "chain": "SELECT sum(3.0 * x + 1.0) FROM t WHERE x > 0.25::DOUBLE",
        "filter": "SELECT x FROM t WHERE x < {most}::DOUBLE",
        "count_by": "SELECT key, count(*)::BIGINT FROM t GROUP BY key",
        "sum_by": "SELECT key, sum(value)::BIGINT FROM t GROUP BY key",
        "q6": "SELECT sum(price * discount) FROM t WHERE ship >= 8766 AND ship < 9131"
        " AND discount >= 0.05::DOUBLE AND discount <= 0.07::DOUBLE AND quantity < 24",
        "q1": "SELECT flag, status, sum(quantity), sum(price), sum(price * (1 - discount)),"
        " sum(price * (1 - discount) * (1 + tax)), sum(discount), count(*)::BIGINT"
        " FROM t WHERE ship <= 10471 GROUP BY flag, status",
        "q3": 'SELECT t."order", sum(price * (1 - discount)) AS revenue, date, priority'
        ' FROM t JOIN orders ON t."order" = orders."order" JOIN customer ON orders."by" = customer.customer'
        ' WHERE segment = 1 AND date < 9204 AND ship > 9204 GROUP BY t."order", date, priority'
        " ORDER BY revenue DESC, date LIMIT 10",
        "sort": "SELECT x FROM t ORDER BY x",
        "join": "SELECT count(*)::BIGINT, sum(value) FROM t JOIN build ON t.key = build.key",
        "statistics": "SELECT (count(*) FILTER (x > 0))::BIGINT, sum(x), sum(x * x), sum(x * x * x), min(x), max(x),"
        " sum(x) FILTER (x > 0) FROM t",
    }

    def __init__(self, threads):
        import duckdb
        import pyarrow

        self.pa = pyarrow
        self.db = duckdb.connect(config={"threads": threads})

    def load(self, columns, query, given):
        for name, table in tables(columns).items():
            self.db.register("data", self.pa.table(table))
            self.db.execute(f"CREATE TABLE {name} AS SELECT * FROM data")
            self.db.unregister("data")
        self.sql = self.SQL[query].format(**given)

    def run(self):
        return self.db.sql(self.sql).to_arrow_table()

    def columns(self, result):
        return [column.to_numpy() for column in result.columns]


class DataFusion:
    """The queries in SQL over Arrow batches, of which each thread has its share."""

    SQL = {
        **DuckDB.SQL,
        "statistics": "SELECT (count(*) FILTER (WHERE x > 0))::BIGINT, sum(x), sum(x * x), sum(x * x * x), min(x), max(x),"
        " sum(x) FILTER (WHERE x > 0) FROM t",
    }

    def __init__(self, threads):
        os.environ["TOKIO_WORKER_THREADS"] = str(threads)
        import datafusion
        import pyarrow

        self.pa = pyarrow
        self.threads = threads
        self.db = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(threads))

    def load(self, columns, query, given):
        for name, table in tables(columns).items():
            batches = self.pa.table(table).to_batches(max_chunksize=1 << 16)
            share = -(-len(batches) // self.threads)
            parts = [batches[start : start + share] for start in range(0, len(batches), share)]
            self.db.register_record_batches(name, parts)
        self.sql = self.SQL[query].format(**given)

    def run(self):
        return self.db.sql(self.sql).to_arrow_table()

    def columns(self, result):
        return [column.to_numpy() for column in result.columns]


class NumPy:
    """Arrays, and the library of linear algebra that they come with."""

    def __init__(self, threads):
        for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ[name] = str(threads)

    def load(self, columns, query, given):
        x, elements = columns["x"], columns["elements"]
        matrix = elements.reshape(len(x), len(x))
        self.plan = {"matrix": lambda: matrix @ x}[query]

    def run(self):
        return self.plan()

    def columns(self, result):
        return [result]


class Numba:
    """Loops, compiled; results are written to the arrays of the run before."""

    def __init__(self, threads):
        os.environ["NUMBA_NUM_THREADS"] = str(threads)

    def load(self, columns, query, given):
        import numpy
        from numba import njit, prange

        loops = njit(parallel=True)

        @loops
        def pointwise(a, b, to):
            for i in prange(to.shape[0]):
                for j in range(to.shape[1]):
                    to[i, j] = a[i, j] * 2.0 + b[i, j]

        @loops
        def jacobi(u, to):
            for i in prange(to.shape[0]):
                for j in range(to.shape[1]):
                    to[i, j] = 0.25 * (u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2])

        @loops
        def blur(p, to):
            n, m = p.shape
            for i in prange(n):
                for j in range(m):
                    left, right = max(j - 1, 0), min(j + 1, m - 1)
                    total = 0
                    # A tuple of rows has two types of integers where prange counts from 0, which numba cannot loop over.
                    for k in range(3):
                        row = min(max(i + k - 1, 0), n - 1)
                        total += numpy.int32(p[row, left]) + numpy.int32(p[row, j]) + numpy.int32(p[row, right])
                    to[i, j] = total // 9

        @loops
        def neighbours(edges, flow, to):
            for v in prange(len(to)):
                total = 0.0
                for k in range(edges.shape[1]):
                    if edges[v, k] >= 0:
                        total += flow[edges[v, k]]
                to[v] = total

        @loops
        def tridiagonal(a, b, c, d, f, x, block):
            n, m = x.shape
            for number in prange((m + block - 1) // block):
                columns = range(number * block, min((number + 1) * block, m))
                for j in columns:
                    f[0, j] = c[0, j] / b[0, j]
                    x[0, j] = d[0, j] / b[0, j]
                for k in range(1, n):
                    for j in columns:
                        pivot = b[k, j] - a[k, j] * f[k - 1, j]
                        f[k, j] = c[k, j] / pivot
                        x[k, j] = (d[k, j] - a[k, j] * x[k - 1, j]) / pivot
                for k in range(n - 2, -1, -1):
                    for j in columns:
                        x[k, j] -= f[k, j] * x[k + 1, j]

        def grids(*names):
            return [columns[name].reshape(int(given["rows"]), -1) for name in names]

        match query:
            case "pointwise":
                a, b = grids("a", "b")
                self.to = numpy.empty_like(a)
                self.plan = lambda: pointwise(a, b, self.to)
            case "jacobi":
                (u,) = grids("u")
                self.to = numpy.empty((u.shape[0] - 2, u.shape[1] - 2))
                self.plan = lambda: jacobi(u, self.to)
            case "blur":
                (p,) = grids("p")
                self.to = numpy.empty_like(p)
                self.plan = lambda: blur(p, self.to)
            case "neighbours":
                (edges,), flow = grids("edges"), columns["flow"]
                self.to = numpy.empty(len(edges))
                self.plan = lambda: neighbours(edges, flow, self.to)
            case "tridiagonal":
                a, b, c, d = grids("a", "b", "c", "d")
                self.to, factors = numpy.empty_like(a), numpy.empty_like(a)
                self.plan = lambda: tridiagonal(a, b, c, d, factors, self.to, 512)
        # Compiled before anything is timed.
        self.plan()

    def run(self):
        self.plan()
        return self.to

    def columns(self, result):
        return [result.reshape(-1)]


ENGINES = {"polars": Polars, "duckdb": DuckDB, "datafusion": DataFusion, "numpy": NumPy, "numba": Numba}


def main():
    engine = ENGINES[sys.argv[1]](int(sys.argv[2]))
    import numpy

    # What the engines print is not an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        answer = {}
        if "load" in request:
            columns = {
                name: numpy.fromfile(column["path"], dtype="<" + column["type"])
                for name, column in request["load"].items()
            }
            engine.load(columns, request["query"], request["with"])
        elif "time" in request:
            clock = time.process_time if request["time"] == "cpu" else time.perf_counter
            start = clock()
            result = engine.run()
            answer["seconds"] = clock() - start
            del result
        else:
            answer["columns"] = []
            for number, column in enumerate(engine.columns(engine.run())):
                is_float = column.dtype.kind == "f"
                column = column.astype("<f8" if is_float else "<i8")
                path = os.path.join(request["answer"], f"answer{number}")
                column.tofile(path)
                answer["columns"].append(["f8" if is_float else "i8", path])
        print(json.dumps(answer), file=answers, flush=True)


main()
