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

/* Floats of 16 bits, as the runtime says. */
static inline f32 bf16_to_f32(u16 x) { u32 bits = (u32)x << 16; f32 y; memcpy(&y, &bits, sizeof y); return y; }
static inline f32 f16_to_f32(u16 x) {
    u32 size = (u32)(x & 0x7FFF) << 13, bits;
    f32 y; memcpy(&y, &size, sizeof y); y *= 0x1p112f;
    memcpy(&bits, &y, sizeof y);
    bits = (u32)(x & 0x8000) << 16 | (size >= 0x7C00u << 13 ? size | 0x7F800000 : bits);
    memcpy(&y, &bits, sizeof y); return y;
}
static inline u16 f32_to_bf16(f32 x) {
    u32 bits; memcpy(&bits, &x, sizeof x);
    u32 size = bits & 0x7FFFFFFF;
    return size > 0x7F800000 ? 0x7FC0 : (bits >> 16 & 0x8000) | (size + 0x7FFF + (size >> 16 & 1)) >> 16;
}
#define NARROW(NAME, F, U, BITS, STORED, BIAS, RANGE, DIGITS) \
    static inline u16 NAME(F x) { \
        const U least = BIAS - RANGE, greatest = 2 * RANGE + 3, infinity = (U)(2 * BIAS + 1) << STORED; \
        U bits; memcpy(&bits, &x, sizeof x); \
        U size = bits & ~((U)1 << (BITS - 1)), exponent = size >> STORED; \
        exponent = exponent < least ? least : exponent >= least + greatest ? least + greatest - 1 : exponent; \
        U beside = (exponent + STORED - DIGITS) << STORED, sum; \
        F a, b; memcpy(&a, &size, sizeof a); memcpy(&b, &beside, sizeof b); a += b; \
        memcpy(&sum, &a, sizeof a); \
        U number = ((exponent - least) << DIGITS) + (sum - beside); \
        number = number > greatest << DIGITS ? greatest << DIGITS : number; \
        return size > infinity ? greatest << DIGITS | 1 << (DIGITS - 1) : (bits >> (BITS - 16) & 0x8000) | number; \
    }
NARROW(f32_to_f16, f32, u32, 32, 23, 127, 14, 10)
NARROW(f64_to_f16, f64, u64, 64, 52, 1023, 14, 10)
NARROW(f64_to_bf16, f64, u64, 64, 52, 1023, 126, 7)
