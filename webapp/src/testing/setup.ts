import { laterTexts } from '../i18n';

// Where time is played, nothing may wait for a file.
await laterTexts();
