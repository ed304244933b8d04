# The steps are the Makefile's own: `make webapp` and `make binary`.
FROM node:20-bookworm AS web
WORKDIR /src
COPY Makefile ./
COPY webapp/package.json webapp/package-lock.json webapp/.npmrc webapp/
RUN make modules
COPY webapp webapp
RUN make webapp

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/webapp/dist webapp/dist
ARG VERSION=development
ARG COMMIT=unknown
RUN make binary VERSION=$VERSION COMMIT=$COMMIT && mkdir /data /empty

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/bin/mcbk /src/bin/licences.txt /
COPY --from=build --chown=65532:65532 /data /data
# SQLite sorts what is large in a temporary file.
COPY --from=build --chown=65532:65532 /empty /tmp
USER 65532:65532
WORKDIR /
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=4s --start-period=10s CMD ["/mcbk", "healthcheck"]
ENTRYPOINT ["/mcbk"]
