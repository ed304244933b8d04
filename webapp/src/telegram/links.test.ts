import { expect, it, vi } from 'vitest';
import { openPage } from './links';

const address = 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt7xKa'.slice(0, 48);

it.each(['ton', 'tonkeeper', 'keeper'])(
  'a payment by %s:// is asked of the phone, on this page',
  (scheme) => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const link = `${scheme}://transfer/${address}?amount=1000000000&text=MC-ABCDE12345&exp=1790000000`;
    openPage(link);
    expect(open.mock.calls).toEqual([[link, '_self']]);
  },
);

it.each([
  [`ton://transfer/${address}/more?amount=1`],
  [`ton://transfer/${address}%20?amount=1`],
  [`ton://transfer:1/${address}?amount=1`],
  [`ton://transfer@evil/${address}?amount=1`],
  [`ton://anybody@transfer/${address}?amount=1`],
  [`ton://transfer/${address}?amount=1#more`],
  [`ton:transfer/${address}?amount=1`],
  [`ton://connect/${address}`],
  [`tonkeepers://transfer/${address}?amount=1`],
  [`javascript://transfer/${address}?amount=1`],
])('%s is not', (link) => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  openPage(link);
  expect(open).not.toHaveBeenCalled();
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
