/** Every English text. Its shape is the contract: ru.ts does not compile while a key is missing. */
export const en = {
  nav: {
    label: 'Main',
    home: 'Home',
    wheel: 'Wheel',
    market: 'Market',
    referral: 'Referral',
    wallet: 'Wallet',
  },
  common: {
    mcbk: 'MCBK',
    ton: 'TON',
    points: 'Points',
    close: 'Close',
    retry: 'Retry',
    wait: 'One moment',
    day_of: 'Day {{day}} of {{total}}',
    streak: '{{done}} of {{total}} days',
  },
  loading: {
    welcome: 'Welcome to MCBK',
    opening: 'Opening the map',
    saving: 'Saving your progress...',
  },
  desktop: {
    title: 'The treasure is in your pocket',
    text: 'MCBK is made for phones and tablets. Open it in Telegram on your mobile device.',
    qr: 'QR code that opens MCBK in Telegram',
    scan: 'Scan with your phone camera',
  },
  privacy: {
    title: 'Privacy Policy',
    intro:
      'MCBK is a game inside Telegram. This page says what it knows about you, why, and what you can do about it.',
    given: 'Information you provide',
    given_text:
      'Name, surname, e-mail, date of birth and phone. To play you only need the name in your Telegram profile. We ask for the rest only when something you start needs it, a prize to be delivered for example, and you can decline.',
    given_game:
      'Telegram also gives us your account number, photo, language and whether you have Premium. If you connect a wallet, we store its public address, never its keys.',
    automatic: 'Information collected automatically',
    automatic_text:
      'IP address, browser and operating system. They keep the game stable and help to stop fraud. We also record what you do in the game: taps, spins, tasks, purchases and rewards. Your balance is the sum of these records.',
    third: 'Information from third parties',
    third_text:
      'Delivery services may tell us the status of a delivery you asked for. The advertising network confirms that you watched a video. Payments are read from the TON network, where every transfer is public.',
    kept: 'How long we keep it',
    kept_text:
      'Your profile and game records: for as long as you play, and after that for as long as the law asks us to keep payment records. IP address, browser and operating system: 30 days. What you write to the bot: 7 days. A transfer on the TON network cannot be erased by anyone.',
    choices: 'Your choices',
    choices_text:
      'You can disconnect your wallet at any time and turn off messages by stopping the bot. Through the bot you can also ask what we know about you, and ask us to correct or delete it. We do not sell your information. Other players see your name, photo and results in the leaderboards. The game is only for people of 18 or older.',
    accept: 'Accept and Continue',
  },
  soon: {
    title: 'Soon',
    text: 'We are still digging here. Your coins and points keep counting in the meantime.',
    home: 'Back to Home',
  },
} as const;

/** What another language must hold: the same keys, and the further plural forms where English has one and other. */
type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]>;
} & {
  readonly [K in keyof T as K extends `${infer Word}_other` ? `${Word}_few` | `${Word}_many` : never]: string;
};

export type Texts = Translated<typeof en>;
