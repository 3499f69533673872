//! The lines of a log, always the same ones.

/// `user time method page status seconds`, and here and there something else.
pub(crate) fn of(count: usize) -> Vec<String> {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut below = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % bound
    };
    let mut line = |number: usize| {
        if below(1000) == 0 {
            return ["-- MARK --", "", "10.0.0.1 2026-11-28T10:00:00 GET / x y"][below(3) as usize]
                .to_owned();
        }
        let (a, b) = (below(40), below(250));
        let time = number as u64 * 86_399 / count as u64;
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
        // Few pages are asked for often.
        let page = below(500) * below(500) / 500;
        let status = [200, 200, 200, 200, 200, 304, 404, 500][below(8) as usize];
        let seconds = (1 + below(1000) * below(1000)) as f64 / 1e6;
        format!(
            "10.0.{a}.{b} 2026-11-28T{hour:02}:{minute:02}:{second:02} GET /shop/item/{page} {status} {seconds:.6}"
        )
    };
    (0..count).map(&mut line).collect()
}
