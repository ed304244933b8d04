/** Of the first three places. */
export const ordinals = ['mines.first', 'mines.second', 'mines.third'] as const;
