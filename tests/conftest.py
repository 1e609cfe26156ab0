"""What holds for all tests."""

from hypothesis import settings

# An example that takes long says that the machine is busy, not that the code is wrong; what must be fast is asserted where it is promised.
settings.register_profile("exegesis", deadline=None)
settings.load_profile("exegesis")
