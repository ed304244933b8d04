import {
  type EventName,
  type EventPayload,
  type MethodName,
  type MethodParams,
  on,
  postEvent,
  supports,
  targetOrigin,
} from '@telegram-apps/sdk-react';
import { urlOf } from '../url';

declare global {
  interface Window {
    TelegramWebviewProxy?: { postEvent(method: string, params?: string): void };
  }
}

/** Of the client's Mini Apps API; null outside of Telegram, where nothing is posted. */
let version: string | null = null;

export function connectBridge(clientVersion: string): void {
  version = clientVersion;
  const parent = parentOrigin();
  if (parent) targetOrigin.set(parent);
}

export const isConnected = () => version !== null;

/** Calls a method of the client. False where it cannot be called: outside of Telegram, in an old client, by a broken bridge. */
export function post<Method extends MethodName>(method: Method, params?: MethodParams<Method>): boolean {
  if (version === null || !supports(method, version)) return false;
  try {
    const proxy = window.parent === window && window.TelegramWebviewProxy;
    // The SDK reads every property of the window to find the proxy, and fails at a storage that is blocked.
    if (proxy) proxy.postEvent(method, JSON.stringify(params));
    else postEvent(method as never, params as never);
    return true;
  } catch {
    return false;
  }
}

/** Subscribes to an event of the client, where that is possible; the answer ends it. */
export function listen<Event extends EventName>(
  event: Event,
  onEvent: (payload: EventPayload<Event>) => void,
): () => void {
  try {
    return on(event, onEvent);
  } catch {
    return () => {}; // Another script has fixed the objects that the client calls.
  }
}

/**
 * In a browser Telegram is the page around us. The SDK would post to web.telegram.org only; the page's own origin, taken
 * at run time, also serves Telegram's other web clients and the sandbox. The frame-ancestors header of the server
 * allows no other parent.
 */
function parentOrigin(): string | null {
  if (window.parent === window) return null;
  return window.location.ancestorOrigins?.[0] ?? urlOf(document.referrer)?.origin ?? null;
}
