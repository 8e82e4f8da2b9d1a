import { testPlayers } from './playEvals.ts';
import { workPlayers } from './work.ts';

testPlayers(workPlayers);
