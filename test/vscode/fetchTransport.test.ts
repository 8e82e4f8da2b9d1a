import { FetchTransport } from '../../src/extension/vscode/ports/fetchTransport.ts';
import { transportContract } from '../support/transportContract.ts';

transportContract('FetchTransport', () => new FetchTransport());
