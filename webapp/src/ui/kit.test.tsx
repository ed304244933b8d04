import { cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { en } from '../i18n/en';
import { Amount } from './Amount';
import { Avatar, colourOf } from './Avatar';
import { Button } from './Button';
import { DayTrail } from './DayTrail';
import { Dock } from './Dock';
import { Progress } from './Progress';
import { Toasts } from './Toasts';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } }));
afterEach(cleanup);

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
  render(<Dock path="/market" />);
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
