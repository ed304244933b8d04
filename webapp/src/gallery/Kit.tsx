import { type ReactNode, useState } from 'react';
import oreStone from '../art/ore-stone.svg';
import timber from '../art/pick.svg';
import ton from '../art/ton.svg';
import trophy from '../art/trophy.svg';
import { Amount } from '../ui/Amount';
import { Avatar } from '../ui/Avatar';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { Card } from '../ui/Card';
import { Checkbox } from '../ui/Checkbox';
import { Chip } from '../ui/Chip';
import { cx } from '../ui/cx';
import { DayTrail } from '../ui/DayTrail';
import { DotStreak } from '../ui/DotStreak';
import { Empty } from '../ui/Empty';
import { HeroAmount } from '../ui/HeroAmount';
import { Icon } from '../ui/Icon';
import { IconButton } from '../ui/IconButton';
import { type IconName, icons } from '../ui/icons';
import { List, ListRow, RowIcon } from '../ui/List';
import { PlayerName } from '../ui/PlayerName';
import { Progress } from '../ui/Progress';
import { Screen } from '../ui/Screen';
import { Skeleton } from '../ui/Skeleton';
import { Spinner } from '../ui/Spinner';
import { Tabs } from '../ui/Tabs';
import { Toast, type ToastNote, Toasts } from '../ui/Toasts';
import text from '../ui/text.module.css';
import styles from './gallery.module.css';
import { screens } from './screens';

const nothing = () => undefined;

function Block({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <h2 className={text.head}>{name}</h2>
      <div className={styles.flow}>{children}</div>
    </>
  );
}

export function Kit() {
  const [checked, check] = useState(false);
  const [tab, setTab] = useState<'all' | 'mcbk' | 'referral'>('all');
  const [won, setWon] = useState(12480.25);
  const [toasts, setToasts] = useState<ToastNote[]>([]);
  const say = (kind: ToastNote['kind'], words: string) =>
    setToasts((now) => [...now, { id: now.length + 1, kind, text: words }]);
  return (
    <Screen noTabBar>
      <h1 className={text.title}>Components</h1>
      <Block name="Screens">
        {Object.keys(screens).map((name) => (
          <a key={name} className={cx(text.link, styles.to)} href={`?show=${name}`}>
            {name}
          </a>
        ))}
      </Block>
      <Block name="Buttons">
        <Button height={56} width="auto" onPress={nothing}>
          Primary 56
        </Button>
        <Button height={56} width="auto" loading onPress={nothing}>
          Wait
        </Button>
        <Button height={56} width="auto" disabled onPress={nothing}>
          Disabled
        </Button>
        <Button variant="secondary" onPress={nothing}>
          Secondary 48
        </Button>
        <Button variant="secondary" loading onPress={nothing}>
          Secondary 48
        </Button>
        <Button variant="tertiary" onPress={nothing}>
          Tertiary 48
        </Button>
        <Button variant="tertiary" tone="ton" art={ton} onPress={nothing}>
          Connect wallet
        </Button>
        <Button variant="quaternary" onPress={nothing}>
          Quaternary 48
        </Button>
        <Button variant="danger" onPress={nothing}>
          Danger 48
        </Button>
        <Button height={40} onPress={nothing}>
          Claim 40
        </Button>
        <Button variant="secondary" height={40} onPress={nothing}>
          40
        </Button>
        <Button variant="tertiary" height={40} href="https://ton.org">
          Visit 40
        </Button>
        <Button height={32} onPress={nothing}>
          32
        </Button>
        <Button variant="secondary" height={32} onPress={nothing}>
          32
        </Button>
        <Button variant="tertiary" height={32} radius={100} onPress={nothing}>
          Pill 32
        </Button>
        <Button variant="secondary" width="full" align="left" icon="send" to="/referral">
          Left, a link
        </Button>
        <Button variant="secondary" width="full" align="right" radius={8} onPress={nothing}>
          Right, radius 8
        </Button>
        <div className={styles.share}>
          <Button variant="secondary" height={56} width="grow" icon="play" onPress={nothing}>
            Спин за рекламу
          </Button>
          <Button height={56} width="grow" onPress={nothing}>
            Крутить бесплатно
          </Button>
        </div>
        <IconButton icon="close" label="Close" onPress={nothing} />
        <IconButton icon="manage" label="Manage" variant="well" onPress={nothing} />
      </Block>
      <Block name="Amounts">
        <Amount asset="coin" value={12480.25} />
        <Amount asset="points" value={4120} />
        <Amount asset="ton" value={5} />
        <Amount asset="coin" value={2500} size="m" trim />
        <Amount asset="points" value={200} size="m" signed />
        <Amount asset="coin" value={-2.5} size="m" />
        <Amount asset="ton" value={1.5} size="m" />
        <Amount asset="coin" value={348} size="l" />
        <HeroAmount asset="coin" value={won} countUp />
        <HeroAmount value={0.005} decimals={4} unit="$" />
        <HeroAmount asset="points" value={200} signed />
        <Button variant="secondary" height={40} onPress={() => setWon(won + 250.5)}>
          Count up
        </Button>
      </Block>
      <Block name="Badges and chips">
        <Badge>Level 2</Badge>
        <Badge tone="gold">Now</Badge>
        <Badge tone="jade">+50</Badge>
        <Badge tone="ton">Live</Badge>
        <Badge tone="moss" icon="check">
          Done
        </Badge>
        <Badge tone="brick">Ends in</Badge>
        <Badge tone="count">1</Badge>
        <Badge tone="veil" size="l" icon="bolt">
          640 of 2,000
        </Badge>
        <Chip icon="rules" to="/mines-rules">
          Rules
        </Chip>
        <Chip art={trophy} to="/leaderboard">
          Leaderboard
        </Chip>
        <Chip tone="ton" art={ton} onPress={nothing}>
          UQB…7xK
        </Chip>
      </Block>
      <Block name="Avatars">
        {[1, 2, 3, 4, 5, 6, 42].map((id) => (
          <Avatar key={id} id={id} name="Marina" />
        ))}
        <Avatar id={3} name="Кирилл" size={44} photo="data:image/png,broken" />
      </Block>
      <Block name="Names">
        <div className={styles.wide}>
          <PlayerName name="Marina" premium={false}>
            <span className={text.sub}>plain</span>
          </PlayerName>
        </div>
        <div className={styles.wide}>
          <PlayerName name="Кирилл" premium>
            <span className={text.sub}>premium</span>
          </PlayerName>
        </div>
        <div className={styles.wide}>
          <PlayerName name="Léa" premium crowded>
            <span className={text.sub}>crowded</span>
          </PlayerName>
        </div>
      </Block>
      <Block name="Progress">
        <Progress label="Goal" value={46} max={100} />
        <Progress label="Energy" value={64} max={100} size="l" tone="ember" />
        <Progress label="Task" value={33} max={100} size="s" tone="cream" />
        <Progress label="Empty" value={0} max={100} />
        <Progress label="Barely" value={2} max={100} size="l" tone="ember" />
        <Progress label="Full" value={100} max={100} />
        <DayTrail day={1} total={90} />
        <DayTrail day={42} total={90} />
        <DayTrail day={90} total={90} />
        <DotStreak done={0} className={styles.wide} />
        <DotStreak done={4} className={styles.wide} />
        <DotStreak done={7} className={styles.wide} />
      </Block>
      <Block name="Toasts">
        <Toast kind="success" text="Link created, opening Tonkeeper" onPress={() => say('success', 'Paid')} />
        <Toast
          kind="wait"
          text="Creating payment link..."
          onPress={() => say('wait', 'Creating payment link...')}
        />
        <Toast
          kind="error"
          text="Failed to connect wallet"
          onPress={() => say('error', 'Failed to connect wallet')}
        />
        <Toast
          kind="info"
          text="Tap a toast to see it at the top"
          onPress={() => say('info', 'Like this; tap to dismiss')}
        />
      </Block>
      <Block name="Fields">
        <Checkbox checked={checked} onChange={check}>
          {checked ? 'Ticked' : 'Not ticked'}
        </Checkbox>
        <Checkbox boxed checked onChange={nothing}>
          I am 18 or older and I agree to the <span className={text.link}>Privacy Policy</span>
        </Checkbox>
        <Tabs
          className={styles.wide}
          label="Transactions"
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'all', text: 'All' },
            { id: 'mcbk', text: 'MCBK' },
            { id: 'referral', text: 'Referral' },
          ]}
        >
          <Card>Transactions: {tab}</Card>
        </Tabs>
      </Block>
      <Block name="Lists">
        <List className={styles.wide}>
          <ListRow
            lead={<RowIcon icon="wallet" />}
            title="Purchase"
            note="Today"
            end={<Amount asset="coin" value={2500} signed />}
          />
          <ListRow
            lead={<Avatar id={5} name="Léa" />}
            title="Léa"
            note="Day 5 of 14"
            onPress={nothing}
            end={<Icon name="caretRight" size={16} />}
          />
          <ListRow lead={<RowIcon art={timber} />} title="Locked" locked />
          <ListRow lead={<RowIcon icon="check" />} title="Done" end={<Badge tone="moss">Done</Badge>}>
            <Progress label="Task" value={1} max={3} size="s" tone="cream" />
          </ListRow>
        </List>
      </Block>
      <Block name="Loading, empty, error">
        <List className={styles.wide}>
          <ListRow
            lead={<Skeleton width={40} height={40} radius={12} />}
            title={<Skeleton width="62%" />}
            note={<Skeleton width="38%" height={10} className={styles.under} />}
            end={<Skeleton width={84} height={40} radius={12} />}
          />
        </List>
        <Card className={styles.wide}>
          <Empty
            art={oreStone}
            title="No daily tasks available"
            text="New tasks will be generated tomorrow!"
          />
        </Card>
        <Card className={styles.wide}>
          <Empty icon="offline" title="Failed to load tasks" onRetry={nothing} />
        </Card>
        <Spinner />
      </Block>
      <Block name="Icons">
        {(Object.keys(icons) as IconName[]).map((name) => (
          <span key={name} className={styles.icon}>
            <Icon name={name} size={24} />
            {name}
          </span>
        ))}
      </Block>
      <Toasts toasts={toasts} onDismiss={(id) => setToasts((now) => now.filter((t) => t.id !== id))} />
    </Screen>
  );
}
