import { afterEach, expect, it, vi } from 'vitest';
import { openPage } from './links';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['https://wallet.example/transfer/UQ?amount=1', true],
  ['http://wallet.example/transfer/UQ?amount=1', false],
  [`http://${window.location.hostname}:8090/pay?amount=1`, true],
  ['ton://transfer/UQ?amount=1', false],
  ['javascript:alert(1)', false],
  ['JaVaScRiPt:alert(1)//https://wallet.example', false],
  ['data:text/html,<script>alert(1)</script>', false],
  ['//evil.example/transfer', false],
  ['/transfer', false],
  ['tg://resolve?domain=evil', false],
  ['no link', false],
])('%s is opened: %s', (link, opens) => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  openPage(link);
  expect(open.mock.calls.map(([url]) => url)).toEqual(opens ? [link] : []);
});
