import type { paths } from './schema.gen';

type Answer<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

type Request<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? Body
  : never;

export type Config = Answer<paths['/config']['get']>;
export type User = Answer<paths['/user/me']['get']>;
export type UserChange = Request<paths['/user/update']['put']>;
export type Settings = Answer<paths['/settings']['get']>;
export type EnergyInfo = Answer<paths['/tap/energy-status']['get']>;
export type TapBatch = Request<paths['/tap/perform-batch-tap']['post']>;
export type TapAnswer = Answer<paths['/tap/perform-batch-tap']['post']>;
