#!/usr/bin/env python3
"""When cron texts are due, by brute force over every minute of the clock on the wall and Python's own time zones.

Reads lines `ZONE<tab>FROM<tab>TO<tab>CRON` (FROM and TO in seconds since 1970), and writes for each a line with
the due times after FROM, up to TO, in seconds. A time that a change skips keeps the offset before it, one that occurs
twice counts once, the first time: that is what `fold=0` means.
"""
import datetime
import functools
import sys
import zoneinfo

NAMES = {name: i for i, name in enumerate("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(), 1)}
NAMES |= {name: i for i, name in enumerate("SUN MON TUE WED THU FRI SAT".split())}
DAY = datetime.timedelta(days=1)


def values(field, least, most):
    found = set()
    for part in field.split(","):
        part, _, step = part.partition("/")
        if part == "*":
            low, high = least, most
        elif "-" in part:
            low, high = (NAMES.get(side) if side in NAMES else int(side) for side in part.split("-"))
        else:
            low = NAMES[part] if part in NAMES else int(part)
            high = most if step else low
        found.update(range(low, high + 1, int(step or 1)))
    return found


def matches_day(day, days, months, weekdays):
    fields = days != "*", weekdays != "*"
    by_day = day.day in values(days, 1, 31)
    by_weekday = (day.weekday() + 1) % 7 in {value % 7 for value in values(weekdays, 0, 7)}
    either = by_day or by_weekday if all(fields) else by_weekday if fields[1] else by_day
    return either and day.month in values(months, 1, 12)


@functools.cache
def local_minutes(cron, first, last):
    minutes, hours, days, months, weekdays = cron.split()
    found = []
    day = first
    while day <= last:
        if matches_day(day, days, months, weekdays):
            for hour in range(24):
                for minute in range(60):
                    if hour in values(hours, 0, 23) and minute in values(minutes, 0, 59):
                        found.append(datetime.datetime(day.year, day.month, day.day, hour, minute))
        day += DAY
    return found


def due_times(zone, begin, end, cron):
    first = datetime.datetime.fromtimestamp(begin, datetime.timezone.utc).date() - 2 * DAY
    last = datetime.datetime.fromtimestamp(end, datetime.timezone.utc).date() + 2 * DAY
    zone = zoneinfo.ZoneInfo(zone)
    found = {int(local.replace(tzinfo=zone, fold=0).timestamp()) for local in local_minutes(cron, first, last)}
    return sorted(at for at in found if begin < at <= end)


for line in sys.stdin:
    its_zone, its_begin, its_end, its_cron = line.rstrip("\n").split("\t")
    print(" ".join(str(at) for at in due_times(its_zone, int(its_begin), int(its_end), its_cron)))
