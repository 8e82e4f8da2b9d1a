import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseNoProxy } from '../../src/extension/headless/environmentProxy.ts';
import { startForwardProxy } from '../support/forwardProxy.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface ExceptionCase extends WorldCase {
  readonly except: string;
  readonly hosts: readonly string[];
}

const below = (domain: string, port = '') => ['', '.', '*.'].map(mark => `${mark}${domain}${port}`);

const cases: readonly ExceptionCase[] = [
  { title: 'a domain', source: 'peer', except: 'example.org', hosts: below('example.org') },
  { title: 'a dot before it', source: 'peer', except: '.example.org', hosts: below('example.org') },
  { title: 'a star before it', source: 'report', except: '*.example.org', hosts: below('example.org') },
  { title: 'a dot behind it', source: 'report', except: 'Example.ORG.', hosts: below('example.org') },
  { title: 'a port', source: 'report', except: 'example.org:8443', hosts: below('example.org', ':8443') },
  {
    title: 'blanks between',
    source: 'report',
    except: ' a.b  c.d\t',
    hosts: [...below('a.b'), ...below('c.d')],
  },
  {
    title: 'commas and blanks',
    source: 'report',
    except: 'a.b, 10.1.2.3',
    hosts: [...below('a.b'), '10.1.2.3'],
  },
  { title: 'a star alone', source: 'peer', except: '*', hosts: ['*'] },
  { title: 'a star among others', source: 'report', except: '10.1.2.3, * ', hosts: ['10.1.2.3', '*'] },
  { title: 'a network', source: 'report', except: '10.1.2.3/8', hosts: ['10.0.0.0-10.255.255.255'] },
  { title: 'a network of one', source: 'report', except: '10.1.2.3/32', hosts: ['10.1.2.3-10.1.2.3'] },
  { title: 'every network', source: 'report', except: '0.0.0.0/0', hosts: ['0.0.0.0-255.255.255.255'] },
  { title: 'no network', source: 'trial', except: '10.0.0/8 fd00::/8 10.0.0.0/99', hosts: [] },
  { title: 'an address with a port', source: 'peer', except: '10.1.2.3:80', hosts: ['10.1.2.3:80'] },
  { title: 'an address of six without brackets', source: 'report', except: '::1', hosts: ['[::1]', '::1'] },
  { title: 'an address of six with a port', source: 'report', except: '[::1]:80', hosts: ['[::1]:80'] },
  {
    title: 'a protocol before it',
    source: 'report',
    except: 'https://example.org/',
    hosts: below('example.org'),
  },
  { title: 'nothing', source: 'trial', except: ' , ', hosts: [] },
];

describe('NO_PROXY with', () => {
  it.each(cases)('$title', ({ except, hosts }) => {
    expect(parseNoProxy(except)).toEqual(hosts);
  });

  it.each([
    ['a network', '10.0.0.0/8,127.0.0.0/8', 0],
    ['another network', '10.0.0.0/8', 1],
    ['blanks', 'a.example 127.0.0.2', 0],
    ['a star among others', 'a.example,*', 0],
  ])('%s counts for a request', async (_what, except, asked) => {
    const world = await HeadlessWorld.make();
    await using proxy = await startForwardProxy(Number(new URL(world.server.baseUrl).port));
    try {
      await mkdir(join(world.folder, 'sessions'));
      // Nobody listens there: who is reached straight refuses.
      const address = 'http://127.0.0.2:9';
      await world.run(['--base-url', address, '--prompt', 'Hi'], {
        env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: except },
      });
      expect(Math.min(proxy.wanted.length, 1)).toBe(asked);
    } finally {
      await world.dispose();
    }
  });
});
