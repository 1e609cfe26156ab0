"""What the services of Exegesis agree on: vocabulary, ports, errors, settings, wire format. Knows no service."""

__version__ = "0.1.0"
