# docker build -t dbverify . && docker run --rm -v "$PWD:/work" dbverify test models
FROM rust:1-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo build --release --locked && target/release/dbverify bundle /opt/dbverify

FROM debian:bookworm-slim
COPY --from=build /opt/dbverify /opt/dbverify
WORKDIR /work
ENTRYPOINT ["/opt/dbverify/dbverify"]
