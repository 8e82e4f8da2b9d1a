import { expect, test } from 'vitest';
import { findDeniedAccess } from '../../src/extension/tools/shell/deniedBySandbox.ts';

const place = {
  cwd: '/work',
  home: '/home/ann',
  workspaces: ['/work'],
  grants: { write: ['/granted'], hosts: ['granted.example'] },
};

test.each([
  // The program names the host that it could not reach.
  ['curl https://a.example', 'curl: (6) Could not resolve host: b.example', ['b.example']],
  ['name=localhost; curl http://$name:80', 'curl: (7) Failed to connect to localhost port 80', ['localhost']],
  [
    'npm i',
    'npm error code ENOTFOUND\nrequest to registry failed, getaddrinfo ENOTFOUND c.example',
    ['c.example'],
  ],
  // It says only that there is no network: the line does, where it is written out.
  ['get https://d.example:8443/x', 'Connection refused', ['d.example']],
  ['get http://user:word@[::1]:80/', 'Network is unreachable', ['::1']],
  ['name=e.example; get https://$name/x', 'Connection refused', []],
  ['get "https://${NAME}/x" http://`name`', 'Connection refused', []],
  // It was granted, or it is another problem.
  ['get https://granted.example', 'Connection refused', []],
  ['get https://d.example', 'certificate has expired', []],
])('of %j that says %j the hosts are %j', (command, output, hosts) => {
  expect(findDeniedAccess(command, output, place).hosts).toEqual(hosts);
});

test.each([
  ["touch: cannot touch '/opt/x': Read-only file system", { write: ['/opt'], closed: [] }],
  ["touch: cannot touch '/granted/x': Read-only file system", { write: [], closed: ['/granted/x'] }],
  ["cat: '/home/ann': Permission denied", { write: [], closed: ['/home/ann'] }],
  ["ls: cannot access '/opt/x': No such file or directory", { write: [], closed: [] }],
  ["ls: cannot access '/tmp/a/x': No such file or directory", { write: ['/tmp/a'], closed: [] }],
])('of %j folders to write to and closed paths are told', (output, denied) => {
  expect(findDeniedAccess('true', output, place)).toMatchObject(denied);
});
