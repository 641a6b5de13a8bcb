"""Values at the edge of what is meant, and beyond."""

NUMBERS = [
    "0", "-0", "-1", "1", "2", "0.5", "-0.5", "1e-320", "1e308", "1e400", "-1e400", "nan", "NaN", "-nan", "inf", "-inf",
    "Infinity", "2147483647", "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1" + "0" * 400, "0x10", "010", "1_000", "1,5",
    "+1", " 1", "1 ", "1e", "e1", ".", "-", "--", "٣", "１",
]
QUANTITIES = [
    "0%", "3%", "100%", "101%", "-3%", "1e400%", "nan%", "%", "0ms", "1ns", "-1ms", "1e400s", "nans", "infs", "1ms1s",
    "9223372036854775807ns", "9223372036854775808s", "1e30h", "ms", "1 ms", "0B", "1B", "16EiB", "17EiB", "1e400GiB", "GiB", "-1GiB",
    "0/s", "1/s", "-1/s", "1e400/s", "nan/s", "40/min", "1e300/s", "/s", "1/0",
]
LISTS = [
    ",", ",,", "1,", ",1", "1,1,1", "1-", "-1-", "8-1", "1-8+0", "1-8*1", "1-8*0", "1-8+-1", "1-8*-2", "1-2147483647", "2147483647",
    "1-2147483647+1073741823", "1-1-1", "1..8", "1-8+1+1", "0-4", "1-4294967296*2", "1,2;3", "auto", "all",
]
TEXTS = [
    "", " ", "\t", "\n", "-", "--", "-h", "/", ".", "..", "/dev/null", "~", "*", "%s%n%n", "{}", "{0}", "${HOME}", "$(id)", "`id`", "'", '"',
    "\\", "true", "false", "null", "none", "auto", "é", "日本語", "🙂", "\u202e", "\ufeff", "a" * 300, "a" * 100_000, "=1+1", "synthetic:",
    "synthetic", "file:", "file:.", "file:/dev/null", "file:absent", "bursty", "bursty()", "bursty(4,10%,2s", "bursty(0,0%,0s)",
    "bursty(1e400,nan,inf)", "16-128:lognormal(48,0.6)", "128-16:uniform", "1-1:normal(0,0)", "16-128:lognormal(nan,inf)",
    "16-128:lognormal(1e308,1e308)",
]
ALL = NUMBERS + QUANTITIES + LISTS + TEXTS
# Nothing in these asks for more work than a small run does.
IDLE = [value for value in ALL if not any(digit in value for digit in "3456789") and "10" not in value]

# Whole numbers beside which sums, products and doublings leave their type.
WHOLE = [sign * (2**bits + more) for bits in (15, 16, 24, 30, 31, 32, 40, 53, 62, 63, 64) for more in (-2, -1, 0, 1) for sign in (1, 1, 1, -1)]

# Of a JSON value, as they stand in the text.
JSON = [
    "null", "true", "false", "0", "-0", "-1", "1", "0.5", "1e-320", "1e308", "-1e308", "1e400", "NaN", "Infinity", "2147483647",
    "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "1" + "0" * 400, '""', '" "', '"x"', '"\\u0000"', '"\\ud800"', '"\\u001b[31m"', '"1"', '"nan"', '"' + "a" * 100_000 + '"',
    "[]", "{}", "[null]", "[[]]", "[-1]", "[1e308,1e308]", "[0]", '{"":0}', "[" * 2000 + "]" * 2000, "01", "+1", "'x'", "",
]
