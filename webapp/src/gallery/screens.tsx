import { type ReactNode, useEffect, useState } from 'react';
import chest from '../art/chest.svg';
import bell from '../art/construction.svg';
import crystal from '../art/crystal-ball.svg';
import ton from '../art/ton.svg';
import gift from '../art/wrapped-gift.svg';
import { AdNote } from '../features/ads/AdNote';
import type { Stage } from '../features/ads/AdStore';
import { DayReward } from '../features/daily/DayReward';
import { DesktopNotice } from '../features/desktop/DesktopNotice';
import { Loading } from '../features/loading/Loading';
import { Saving } from '../features/loading/Saving';
import { Privacy } from '../features/privacy/Privacy';
import { Amount } from '../ui/Amount';
import { Avatar } from '../ui/Avatar';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { Chip } from '../ui/Chip';
import { DayTrail } from '../ui/DayTrail';
import { DotStreak } from '../ui/DotStreak';
import { FullScreenNote } from '../ui/FullScreenNote';
import { HeroAmount } from '../ui/HeroAmount';
import { List, ListRow, RowIcon } from '../ui/List';
import { Modal } from '../ui/Modal';
import { Progress } from '../ui/Progress';
import { Screen } from '../ui/Screen';
import { Sheet } from '../ui/Sheet';
import { SheetHandle } from '../ui/SheetHandle';
import { TabBar } from '../ui/TabBar';
import text from '../ui/text.module.css';
import styles from './gallery.module.css';
import { lists } from './lists';

const nothing = () => undefined;

function LoadingShown() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return <Loading speaks ready={ready} />;
}

function Home({ children }: { children?: ReactNode }) {
  return (
    <>
      <Screen
        className={styles.home}
        handle={
          <SheetHandle
            icon="checklist"
            title="Daily Tasks"
            note="2 of 5 done, 1 reward waiting"
            end={<Badge tone="count">1</Badge>}
            onOpen={nothing}
          />
        }
      >
        <header className={styles.line}>
          <Avatar id={42} name="Marina" size={44} />
          <div className={styles.wide}>
            <div className={styles.line}>
              <b className={text.head}>Marina</b>
              <Badge tone="gold" icon="star">
                Premium
              </Badge>
            </div>
            <span className={text.sub}>42 days in the game</span>
          </div>
          <Chip tone="ton" art={ton} onPress={nothing}>
            UQB…7xK
          </Chip>
        </header>
        <section>
          <h1 className={text.over}>Your MCBK</h1>
          <HeroAmount asset="coin" value={12480.253} />
        </section>
        <section>
          <div className={styles.between}>
            <span className={text.over}>Day 42 of 90</span>
            <span className={text.over}>48 days left</span>
          </div>
          <DayTrail day={42} total={90} />
        </section>
        <Button width="full" to="/tap">
          Start tapping
        </Button>
        <Button variant="tertiary" width="full" icon="telegram" disabled onPress={nothing}>
          Join Community
        </Button>
        <List>
          {[1, 2, 3, 4, 5, 6].map((n) => (
            <ListRow
              key={n}
              lead={<RowIcon icon="sent" />}
              title="Copper mine"
              note="MCBK"
              end={<Amount asset="coin" value={-n * 12.5} />}
            />
          ))}
        </List>
      </Screen>
      <TabBar path="/" />
      {children}
    </>
  );
}

function Ground({ ground }: { ground: 'vault' | 'cave' | 'golden' }) {
  return (
    <>
      <Screen
        ground={ground}
        handle={
          <SheetHandle
            icon="levels"
            title="Energy Progress"
            note="Level 2. 212 spins to level 3"
            onOpen={nothing}
          />
        }
      >
        <h1 className={text.unseen}>Ground: {ground}</h1>
        <HeroAmount asset="coin" value={12480.253} decimals={3} center />
      </Screen>
      <TabBar path="/" />
    </>
  );
}

function AgeGate() {
  const [checked, check] = useState(true);
  return (
    <Home>
      <Modal
        open
        lasting
        onClose={nothing}
        head={<span className={styles.age}>18+</span>}
        title="Rules"
        text="Are you 18 years old?"
        actions={
          <Button height={56} width="full" disabled={!checked} onPress={nothing}>
            Accept
          </Button>
        }
      >
        <Checkbox boxed checked={checked} onChange={check}>
          I am 18 or older and I agree to the{' '}
          <a className={text.link} href="/privacy">
            Privacy Policy
          </a>
        </Checkbox>
      </Modal>
    </Home>
  );
}

function Reward() {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Home>
      <Modal
        open={open}
        onClose={close}
        art={chest}
        title="Daily Reward"
        text="Your Day 5 Reward"
        actions={
          <>
            <Button height={56} width="full" onPress={close}>
              Claim
            </Button>
            <Button variant="secondary" width="full" icon="play" onPress={close}>
              Claim x2
            </Button>
          </>
        }
      >
        <DotStreak done={5} end={chest} />
        <DayReward coins={2.5} points={50} />
        <p className={text.sub}>Total visits: 42 days</p>
      </Modal>
    </Home>
  );
}

function Loyalty() {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Home>
      <Modal
        open={open}
        onClose={close}
        art={gift}
        title="Loyalty Bonus"
        text="You completed all ad conditions!"
        actions={
          <Button height={56} width="full" onPress={close}>
            Claim
          </Button>
        }
      >
        <DayReward coins={3} points={150} labels={{ coins: 'Coins MCBK', points: 'Points MCBK' }} />
      </Modal>
    </Home>
  );
}

function Ad({ stage }: { stage: Stage }) {
  const [open, setOpen] = useState(true);
  return (
    <Home>
      <AdNote open={open} stage={stage} onClose={() => setOpen(false)} />
    </Home>
  );
}

function Drawn() {
  const [open, setOpen] = useState(true);
  return (
    <Home>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="Daily Tasks"
        foot={
          <Button width="full" onPress={nothing}>
            Claim all
          </Button>
        }
      >
        <List raised>
          {[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => (
            <ListRow
              key={n}
              lead={<RowIcon art={crystal} />}
              title={`Ask for advice ${n}`}
              end={
                <Button height={40} onPress={nothing}>
                  Claim
                </Button>
              }
            >
              <Progress label="Task" value={n} max={12} size="s" tone="cream" />
            </ListRow>
          ))}
        </List>
      </Sheet>
    </Home>
  );
}

/** Each is called once, when it is to be shown and before anything is drawn. */
export const screens: Record<string, () => ReactNode> = {
  loading: () => <LoadingShown />,
  saving: () => (
    <>
      <div inert>
        <Home />
      </div>
      <Saving />
    </>
  ),
  desktop: () => <DesktopNotice url="https://t.me/mcbk_bot/play?startapp=desktop" />,
  privacy: () => <Privacy onAccept={nothing} />,
  maintenance: () => (
    <FullScreenNote
      noTabBar
      art={bell}
      title="Technical works"
      text="Your coins and points are safe. Try again in a few minutes."
    >
      <Button height={56} width="full" icon="retry" onPress={nothing}>
        Restart
      </Button>
      <Button variant="quaternary" width="full" to="/">
        Exit
      </Button>
    </FullScreenNote>
  ),
  home: () => <Home />,
  vault: () => <Ground ground="vault" />,
  cave: () => <Ground ground="cave" />,
  golden: () => <Ground ground="golden" />,
  age: () => <AgeGate />,
  reward: () => <Reward />,
  loyalty: () => <Loyalty />,
  'ad-playing': () => <Ad stage="playing" />,
  'ad-late': () => <Ad stage="late" />,
  sheet: () => <Drawn />,
  ...lists,
};
