"""A house has so many seats, and nobody takes all of them."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from exegesis.errors import QuotaExceeded, Unavailable
from services.gateway.seats import Seats


def test_one_token_leaves_seats_to_others() -> None:
    """However many calls it has under way; and it gets one again when one of its calls has ended."""
    seats = Seats(most=4, most_of_one=3)
    with seats.take("greedy"), seats.take("greedy"):
        with seats.take("greedy"):
            with pytest.raises(QuotaExceeded, match="3 calls of this token"), seats.take("greedy"):
                pytest.fail("a fourth of one token")
            with seats.take("modest"):
                pass
        with seats.take("greedy"):
            pass


def test_a_full_house_says_so() -> None:
    """To whoever comes, in words that are not about their own token."""
    seats = Seats(most=2, most_of_one=2)
    with seats.take("a"), seats.take("b"), pytest.raises(Unavailable, match="2 calls are under way"), seats.take("c"):
        pytest.fail("a third in a house of two")


def test_guests_without_a_token_share_the_house() -> None:
    """An open door tells nobody apart, so no guest is kept from the last seat by others."""
    seats = Seats(most=3, most_of_one=1)
    with ExitStack() as taken:
        for _ in range(3):
            taken.enter_context(seats.take(""))


def test_a_call_that_fails_gives_its_seat_back() -> None:
    """As often as it fails."""
    seats = Seats(most=1, most_of_one=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), seats.take("a"):
            _ = 1 / 0
