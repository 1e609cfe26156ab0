"""What holds for all tests."""

import signal

from hypothesis import settings

# An example that takes long says that the machine is busy, not that the code is wrong; what must be fast is asserted where it is promised.
settings.register_profile("exegesis", deadline=None)
settings.load_profile("exegesis")

# A shell that runs the tests in the background lets them ignore interrupts, and so would every process that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
