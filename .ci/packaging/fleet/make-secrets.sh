#!/bin/sh
# Creates the folder `secrets`, which compose.yaml reads. Fails if it exists.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
cd secrets

random() {
  head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

# Adds a role to databases.sql, and writes the URL with its password: name, database, file.
role() {
  password=$(random)
  echo "create role $1 login password '$password';" >> databases.sql
  echo "postgres://$1:$password@/$2?host=/run/postgresql" > "$3"
}
role lurecheck_owner lurecheck owner.url
sed 's|@/lurecheck?|@/lurecheck_private?|' owner.url > private-owner.url
role lurecheck_operator lurecheck operator.url
sed 's|@/lurecheck?|@/lurecheck_private?|' operator.url > private-operator.url
role lurecheck_node lurecheck node.url
role lurecheck_private_node lurecheck_private private-node.url
for database in lurecheck lurecheck_private; do
  echo "create database $database owner lurecheck_owner;" >> databases.sql
done
random > postgres.password

password=$(random)
rights='+eval +evalsha +script|load +hello +time +get +set'
printf 'user default off\nuser lurecheck on >%s ~lure:* %s\n' "$password" "$rights" > valkey.acl
echo "redis+unix://lurecheck:$password@localhost/run/valkey/valkey.sock" > limiter.url
head -c 32 /dev/urandom > client.key

# For a trial; browsers warn of it.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 398 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout balancer.key -out balancer.crt 2>/dev/null
cat balancer.crt balancer.key > balancer.pem
rm balancer.crt balancer.key

# Each container has a user of its own; on the host, the folder is closed to other users.
chmod 0444 ./*
