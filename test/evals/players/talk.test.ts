import { testPlayers } from './playEvals.ts';
import { talkPlayers } from './talk.ts';

testPlayers(talkPlayers);
