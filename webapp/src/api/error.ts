import type { ErrorCode as Refusal } from './schema.gen';

/** A refusal of the server's, or `offline` where no answer of ours came. */
export type ErrorCode = Refusal | 'offline';

type Details = Pick<ApiError, 'code' | 'status'> &
  Partial<Pick<ApiError, 'message' | 'requestId' | 'params' | 'retryAfter'>>;

/** Whatever went wrong with a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** Seconds to wait before asking again. */
  readonly retryAfter: number | null;

  constructor({ code, status, message = code, requestId = null, params = {}, retryAfter = null }: Details) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.params = params;
    this.retryAfter = retryAfter;
  }

  static offline(): ApiError {
    return new ApiError({ code: 'offline', status: 0 });
  }

  /** Reads the server's error body, or only the status of a proxy's error page. */
  static from(body: unknown, response: Response): ApiError {
    const record = (value: unknown) =>
      (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    const said = record(body);
    const wait = Number(said.retryAfter ?? response.headers.get('Retry-After') ?? Number.NaN);
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
    const code = (text(said.code) ?? 'internal') as ErrorCode; // a newer server may know others
    return new ApiError({
      code,
      status: response.status,
      message: text(said.message) ?? code,
      requestId: text(said.requestId) ?? text(response.headers.get('X-Request-Id')) ?? null,
      params: record(said.params),
      retryAfter: Number.isFinite(wait) && wait >= 0 ? wait : null,
    });
  }
}

const unknownOutcome: readonly ErrorCode[] = [
  'offline',
  'try_again',
  'overloaded',
  'internal', // also what a proxy answers in the server's place
  'request_in_progress',
];

/** The call may have taken effect. Repeating it with its key is safe. */
export function mayHaveHappened({ code }: ApiError): boolean {
  return unknownOutcome.includes(code);
}

/** The call was refused before the server looked for an answer stored under its key. */
export function isRefusedEarly({ code, status }: ApiError): boolean {
  return status === 401 || code === 'rate_limited' || code === 'maintenance';
}

/** The same call may succeed later. */
export function isTransient(error: ApiError): boolean {
  return mayHaveHappened(error) || error.status === 429 || error.status >= 500;
}

/** A call's failure as an ApiError; a defect of our own is thrown on. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** An admin has switched off this feature alone. */
export function isFeatureOff({ code, params }: ApiError): boolean {
  return code === 'maintenance' && params.feature !== undefined;
}

/** The refusal of whatever would earn something before the season or after it. */
export function isOutOfSeason({ code }: ApiError): boolean {
  return code === 'season_not_started' || code === 'season_over';
}
