import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import { transportContract } from '../support/transportContract.ts';

transportContract('NodeTransport', () => new NodeTransport());
