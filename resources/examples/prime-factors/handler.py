"""Streams the prime factors of a whole number, smallest first."""

import time


def read_number(value):
    # bool is a kind of int in Python; a number that is too large for JavaScript may come as a string of digits.
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value[:1000])
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"input.number must be a whole number, or a string of digits; it is {value!r}.")
    if value < 2:
        raise ValueError(f"input.number must be 2 or more; it is {value}.")
    return value


def prime_factors(number):
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            yield divisor
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    if number > 1:
        yield number


def handler(job):
    number = read_number(job["input"].get("number"))
    delay_s = float(job["input"].get("delayMs", 60)) / 1000
    rest = number
    for factor in prime_factors(number):
        time.sleep(delay_s)
        rest //= factor
        # Each yield is one chunk of the stream.
        yield {"factor": factor, "rest": rest}
