import { emitEvent, mockTelegramEnv } from '@telegram-apps/sdk-react';

/** A test's launch; by default by a direct link. */
export function launchData({ allows = false, way = { start_param: 'SIGNED' } as object } = {}): string {
  return new URLSearchParams({
    user: JSON.stringify({ id: 7, first_name: 'Ann', language_code: 'ru', allows_write_to_pm: allows }),
    auth_date: '1795000000',
    ...way,
    hash: 'ff',
    signature: 'sg',
  }).toString();
}

/** For tests: Telegram around the app. Unless busy it answers what the start asks; all that is posted to it is in the list returned. */
export function pretendTelegram(data = launchData(), busy = false): string[] {
  const posted: string[] = [];
  mockTelegramEnv({
    launchParams: new URLSearchParams({
      tgWebAppData: data,
      tgWebAppVersion: '8.0',
      tgWebAppPlatform: 'android',
      tgWebAppThemeParams: '{}',
    }).toString(),
    onEvent([name, params]) {
      posted.push(params === undefined ? name : `${name} ${JSON.stringify(params)}`);
      if (busy) return;
      const insets = { top: 40, bottom: 20, left: 0, right: 0 };
      if (name === 'web_app_request_viewport')
        emitEvent('viewport_changed', { height: 700, width: 400, is_state_stable: true, is_expanded: true });
      if (name === 'web_app_request_safe_area') emitEvent('safe_area_changed', insets);
      if (name === 'web_app_request_content_safe_area') emitEvent('content_safe_area_changed', insets);
    },
  });
  return posted;
}
