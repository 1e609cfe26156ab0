"""Stubs generated from ``proto/exegesis/v1`` by ``make proto``; never edited."""
