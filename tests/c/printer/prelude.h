#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int8_t i8; typedef int16_t i16; typedef int32_t i32; typedef int64_t i64;
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
typedef float f32; typedef double f64;

/* A vector that grows, as the runtime has it. */
#define MOST_POINTS (INT64_C(1) << 48)
typedef struct { void *elements; i64 len; i64 room; } growing;

/* The address of no elements. */
#define NOWHERE ((void *)64)

/* The less and the greater of two floats: a number rather than a NaN, and -0 below 0. */
#define EXTREMES(T, B) \
    static inline T min_##T(T x, T y) { \
        B a, b; memcpy(&a, &x, sizeof x); memcpy(&b, &y, sizeof y); a |= b; \
        T same; memcpy(&same, &a, sizeof x); \
        return y != y ? x : x == y ? same : x < y ? x : y; \
    } \
    static inline T max_##T(T x, T y) { \
        B a, b; memcpy(&a, &x, sizeof x); memcpy(&b, &y, sizeof y); a &= b; \
        T same; memcpy(&same, &a, sizeof x); \
        return y != y ? x : x == y ? same : x > y ? x : y; \
    } \
    static inline u8 same_##T(T x, T y) { \
        B a, b; memcpy(&a, &x, sizeof x); memcpy(&b, &y, sizeof y); return a == b; \
    } \
    static inline i32 order_##T(T a, T b) { \
        return a < b || (b != b && a == a) ? -1 : b < a || (a != a && b == b) ? 1 : 0; \
    }
EXTREMES(f32, u32)
EXTREMES(f64, u64)

/* Casts of floats saturate, and a NaN is 0. Both ends are exact: LEAST is a power of two or 0, and END is the one behind the last. */
#define SATURATE(T, LEAST, MOST, END) \
    static inline T to_##T(f64 x) { return x != x ? 0 : x < LEAST ? LEAST : x >= END ? MOST : (T)x; }
SATURATE(i8, INT8_MIN, INT8_MAX, 0x1p7)
SATURATE(i16, INT16_MIN, INT16_MAX, 0x1p15)
SATURATE(i32, INT32_MIN, INT32_MAX, 0x1p31)
SATURATE(i64, INT64_MIN, INT64_MAX, 0x1p63)
SATURATE(u8, 0, UINT8_MAX, 0x1p8)
SATURATE(u16, 0, UINT16_MAX, 0x1p16)
SATURATE(u32, 0, UINT32_MAX, 0x1p32)
SATURATE(u64, 0, UINT64_MAX, 0x1p64)

static inline f64 sign_f64(f64 x) { return x != x ? x : copysign(1.0, x); }
static inline f32 sign_f32(f32 x) { return x != x ? x : copysignf(1.0f, x); }
