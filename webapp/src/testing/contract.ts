import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { inject } from 'vitest';
import type { Answer } from './FakeServer';

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
ajv.addSchema(inject('contract'), 'contract');
const { paths, components } = inject('contract');

/** Paths of the contract as patterns: `/orders/{id}`. */
const routes = Object.keys(paths).map(
  (path) => [path, new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** What is wrong with an answer of the fake server by `api/openapi.yaml`; null if nothing is. */
export function contractError({ method, path, status, body }: Answer): string | null {
  const [route] = routes.find(([, pattern]) => pattern.test(path)) ?? [];
  if (route === undefined) return `${method} ${path} is no call`;
  const ok = status < 300;
  const responses = `paths/${route.replaceAll('/', '~1')}/${method.toLowerCase()}/responses`;
  const validate = ajv.getSchema(
    `contract#/${ok ? `${responses}/${status}/content/application~1json/schema` : 'components/schemas/Error'}`,
  );
  if (!validate) return `${method} ${path} has no schema`;
  if (!validate(body)) return `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  const { code } = body as { code: string };
  if (!ok && components.schemas.ErrorCode['x-http-status'][code] !== status)
    return `${method} ${path}: ${code} is no ${status}`;
  return null;
}
