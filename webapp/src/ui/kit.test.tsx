import { act, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactElement } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { en } from '../i18n/en';
import { readLaunch, startTelegram } from '../telegram';
import { pretendTelegram } from '../telegram/pretend';
import { Amount } from './Amount';
import { Avatar, colourOf } from './Avatar';
import { Button } from './Button';
import { Checkbox } from './Checkbox';
import { DayTrail } from './DayTrail';
import { Progress } from './Progress';
import { TabBar } from './TabBar';
import { Tabs } from './Tabs';
import { type ToastNote, Toasts } from './Toasts';

let posted: string[];

beforeAll(async () => {
  posted = pretendTelegram();
  await startTelegram(readLaunch());
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } });
});

describe('a button', () => {
  it('cannot be pressed again while it is loading', () => {
    const press = vi.fn();
    render(
      <Button loading onPress={press}>
        Claim
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Claim' });
    button.click();
    expect(press).not.toHaveBeenCalled();
    expect(button.getAttribute('aria-busy')).toBe('true');
  });

  it('is a link inside the app, or one in a new tab', () => {
    render(
      <>
        <Button to="/wallet">Wallet</Button>
        <Button href="https://ton.org">TON</Button>
      </>,
    );
    expect(screen.getByRole('link', { name: 'Wallet' }).getAttribute('href')).toBe('/wallet');
    const outside = screen.getByRole('link', { name: 'TON' });
    expect(outside.getAttribute('target')).toBe('_blank');
    expect(outside.getAttribute('rel')).toContain('noopener');
  });

  it('is no link while it is disabled', () => {
    render(
      <Button to="/wallet" disabled>
        Wallet
      </Button>,
    );
    expect(screen.queryByRole('link')).toBeNull();
  });
});

const nothing = () => undefined;

const languages = [
  { id: 'en', text: 'English' },
  { id: 'ru', text: 'Русский' },
] as const;

/** A finger comes down on it and goes; then the page gets what browsers make of that. */
function touch(element: HTMLElement) {
  fireEvent.pointerDown(element, { button: 0 });
  fireEvent.pointerUp(element, { button: 0 });
  element.focus();
  element.click();
}

it('a tab is chosen once by a touch, also when the choice takes a while', () => {
  const choose = vi.fn();
  render(<Tabs label="Language" tabs={languages} value="en" onChange={choose} />);
  touch(screen.getByRole('tab', { name: 'Русский' }));
  expect(choose.mock.calls).toEqual([['ru']]);
});

describe('a press is felt', () => {
  const press = '{"type":"impact","impact_style":"medium"}';
  const selection = '{"type":"selection_change"}';

  beforeEach(() => {
    posted.length = 0;
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  async function felt() {
    await Promise.resolve();
    return posted.map((event) => event.replace('web_app_trigger_haptic_feedback ', ''));
  }

  it('on a primary button, and on no other', async () => {
    const { rerender } = render(<Button onPress={nothing}>Go</Button>);
    touch(screen.getByText('Go'));
    expect(await felt()).toEqual([press]);
    rerender(<Button to="/wallet">Go</Button>);
    touch(screen.getByText('Go'));
    expect(await felt()).toEqual([press, press]);
    rerender(
      <Button variant="secondary" onPress={nothing}>
        Go
      </Button>,
    );
    touch(screen.getByText('Go'));
    expect(await felt()).toEqual([press, press]);
  });

  it('on a checkbox', async () => {
    render(
      <Checkbox checked={false} onChange={nothing}>
        Go
      </Checkbox>,
    );
    touch(screen.getByText('Go'));
    expect(await felt()).toEqual([selection]);
  });

  it('on a tab, unless it is open already', async () => {
    render(<Tabs label="Language" tabs={languages} value="en" onChange={nothing} />);
    touch(screen.getByText('English'));
    expect(await felt()).toEqual([]);
    touch(screen.getByText('Русский'));
    expect(await felt()).toEqual([selection]);
  });

  it('on the dock', async () => {
    render(<TabBar path="/" />);
    touch(screen.getByRole('link', { name: 'Market' }));
    expect(await felt()).toEqual([selection]);
  });

  it('by those who want less motion too', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    render(<Button onPress={nothing}>Go</Button>);
    touch(screen.getByText('Go'));
    expect(await felt()).toEqual([press]);
  });
});

describe('an amount', () => {
  it('says what it counts to those who cannot see the mark', () => {
    const { container } = render(<Amount asset="points" value={50} signed />);
    expect(screen.getByRole('img', { name: 'Points' })).toBeTruthy();
    expect(container.textContent).toBe('+50');
  });

  it('writes TON after TON, and no decimals that are zero', () => {
    const { container } = render(<Amount asset="ton" value={5} />);
    expect(container.textContent).toBe('5\u00a0TON');
  });
});

it('the dock marks the screen the player is on', () => {
  render(<TabBar path="/market" />);
  const links = screen.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/',
    '/roulette',
    '/market',
    '/referral',
    '/wallet',
  ]);
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Market');
});

it('the day trail tells a day of the season even when the clock is past it', () => {
  render(<DayTrail day={97} total={90} />);
  expect(screen.getByRole('img', { name: 'Day 90 of 90' })).toBeTruthy();
});

it('progress never claims more than the whole', () => {
  render(<Progress label="Goal" value={31_000_000} max={30_000_000} />);
  expect(screen.getByRole('progressbar', { name: 'Goal' }).getAttribute('aria-valuenow')).toBe('30000000');
});

it('an avatar has the size it is given, and none of its own where the style sheets are to decide', () => {
  const sizeOf = (avatar: ReactElement) =>
    (render(avatar).container.firstElementChild as HTMLElement).style.getPropertyValue('--avatar');
  expect(sizeOf(<Avatar id={1} name="Marina" size={44} />)).toBe('44px');
  expect(sizeOf(<Avatar id={1} name="Marina" />)).toBe('');
});

it('a player has the same colour on every screen', () => {
  expect(colourOf(7_000_000_001)).toBe(colourOf('7000000001'));
  const { container } = render(<Avatar id={1} name="  кирилл" />);
  expect(container.textContent).toBe('К');
});

it('only the newest toast is shown', () => {
  const dismiss = vi.fn();
  render(
    <Toasts
      onDismiss={dismiss}
      toasts={[
        { id: 1, kind: 'wait', text: 'Creating payment link...' },
        { id: 2, kind: 'error', text: 'Failed to connect wallet' },
      ]}
    />,
  );
  expect(screen.queryByText('Creating payment link...')).toBeNull();
  screen.getByText('Failed to connect wallet').click();
  expect(dismiss).toHaveBeenCalledWith(2);
});

describe('the last toast', () => {
  const root = document.documentElement.style;
  const toast = { id: 1, kind: 'info', text: 'Saved' } as const;
  const shown = (toasts: readonly ToastNote[]) => <Toasts onDismiss={() => {}} toasts={toasts} />;
  const pass = (time: number) => act(() => vi.advanceTimersByTime(time));

  beforeEach(() => {
    vi.useFakeTimers();
    root.setProperty('--d-fast', '160ms');
  });
  afterEach(() => {
    vi.useRealTimers();
    root.removeProperty('--d-fast');
  });

  it('leaves before it is gone, and cannot be pressed on its way', () => {
    const { rerender } = render(shown([toast]));
    rerender(shown([]));
    pass(150);
    expect(screen.getByText('Saved').closest('[inert]')).toBeTruthy();
    pass(20);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('gives way at once to one that comes meanwhile, which stays', () => {
    const { rerender } = render(shown([toast]));
    rerender(shown([]));
    pass(50);
    rerender(shown([{ ...toast, id: 2, text: 'Copied' }]));
    expect(screen.queryByText('Saved')).toBeNull();
    pass(1000);
    expect(screen.getByText('Copied').closest('[inert]')).toBeNull();
  });
});
