# syntax=docker/dockerfile:1

# One image for every service; the command chooses which: `serve gateway`, `serve query`, `serve graph`, `serve worker`, `serve beat`.
# Tags are exact; whoever needs the same bytes for ever pins their digests as well.

FROM python:3.12.12-slim-bookworm AS build
WORKDIR /src
# No pip in the result: it is installed into from outside.
RUN python -m venv --without-pip /opt/exegesis
COPY requirements.lock pyproject.toml README.md LICENSE ./
COPY exegesis exegesis
COPY services services
# The lock holds the exact versions of everything; only what runs is installed, and only from wheels, so no compiler is needed.
RUN python -m pip --python /opt/exegesis/bin/python install --no-cache-dir --no-compile --only-binary :all: --constraint requirements.lock "setuptools>=77" \
 && python -m pip --python /opt/exegesis/bin/python install --no-cache-dir --no-compile --constraint requirements.lock --no-build-isolation ".[team]" \
 && python -m pip --python /opt/exegesis/bin/python uninstall --yes setuptools \
 && python -m compileall -q /opt/exegesis/lib

FROM python:3.12.12-slim-bookworm
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && python -m pip uninstall --yes pip \
 && useradd --uid 10001 --no-create-home --home-dir /var/lib/exegesis --shell /usr/sbin/nologin exegesis \
 && install --directory --owner exegesis --group exegesis --mode 0700 /var/lib/exegesis
COPY --from=build /opt/exegesis /opt/exegesis
ENV PATH=/opt/exegesis/bin:$PATH \
    EXEGESIS_HOME=/var/lib/exegesis \
    PYTHONUNBUFFERED=1
USER exegesis
WORKDIR /var/lib/exegesis
VOLUME /var/lib/exegesis
# Not through a shell, which would keep SIGTERM to itself.
ENTRYPOINT ["exegesis"]
CMD ["--help"]
