import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { parse } from 'yaml';

declare module 'vitest' {
  interface ProvidedContext {
    contract: {
      paths: object;
      components: { schemas: { ErrorCode: { 'x-http-status': Record<string, number> } } };
    };
  }
}

/** Reads `api/openapi.yaml` once for all files. JSON Schema has no `nullable`; the contract's OpenAPI 3.0 has. */
export default function provideContract({ provide }: TestProject): void {
  const text = readFileSync(new URL('../../../api/openapi.yaml', import.meta.url), 'utf8');
  const contract = parse(text, (_, value) => {
    const { nullable, ...schema } = Object(value) as { nullable?: boolean };
    return nullable === true ? { anyOf: [schema, { type: 'null' }] } : value;
  });
  provide('contract', contract);
}
