// Completes webapp/package-lock.json after a change of packages: `npm run lock` in webapp/.
// A registry mirror may carry the native parts of packages for one platform only; npm then
// leaves the others out of the lock, and `npm ci` refuses a lock without them. This adds
// them again with their version and platform, so that the lock serves every machine.
import { readFileSync, writeFileSync } from 'node:fs';

const systems = /android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32/;
const processors = /arm64|x64|ia32|arm(?=-|$)|riscv64|s390x|ppc64|loong64|mips64el|wasm32/;

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = { ...lock.packages };
for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue;
    const os = name.match(systems)?.[0];
    const cpu = name.match(processors)?.[0];
    if (!os && !cpu) throw new Error(`cannot tell the platform of ${name}`);
    packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      optional: true,
      dev: true,
      ...(cpu && { cpu: [cpu] }),
      ...(os && { os: [os] }),
      ...(name.includes('musl') && { libc: ['musl'] }),
    };
    console.log('named', name);
  }
}
// Each package has its own funding links; other sites' addresses stay out of this repository.
for (const named of Object.values(packages)) delete named.funding;
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
