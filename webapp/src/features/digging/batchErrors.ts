import { type ApiError, isFeatureOff, isOutOfSeason, isTransient } from '../../api/error';
import { type ErrorKey, errorKey } from '../../i18n/errors';

/** What a failed batch waits for before its retry: the network, the end of maintenance, or only its backoff. */
export type RetryTrigger = 'network' | 'opening' | 'backoff';

/** These refuse the player, not the batch. */
const playerErrors: readonly string[] = ['age_consent_required', 'user_blocked'];

/**
 * What becomes of a batch after an error. Decision 0005 retries it on no answer, 429 and 5xx, and `internal` is a proxy's own
 * page, whatever its status. A batch whose duplicate is still running is retried too, and one is kept where the player was
 * refused. Any other error would repeat for ever.
 */
export function afterError(error: ApiError): 'retry' | 'keep' | 'drop' {
  if (isTransient(error)) return 'retry';
  if (error.status === 401 || playerErrors.includes(error.code)) return 'keep';
  return 'drop';
}

export function retryTrigger(error: ApiError): RetryTrigger {
  if (error.status === 0) return 'network';
  return error.code === 'maintenance' ? 'opening' : 'backoff';
}

/** The toast for taps that were not accepted. */
export function batchErrorKey(error: ApiError): ErrorKey {
  return isOutOfSeason(error) || isFeatureOff(error) ? errorKey(error.code) : 'errors.tap_sync';
}
