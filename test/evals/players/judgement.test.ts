import { judgementPlayers } from './judgement.ts';
import { testPlayers } from './playEvals.ts';

testPlayers(judgementPlayers);
