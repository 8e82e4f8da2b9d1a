import { commandPlayers } from './commands.ts';
import { testPlayers } from './playEvals.ts';

testPlayers(commandPlayers);
