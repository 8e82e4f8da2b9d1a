/* The way to a deployment at Azure; the server that stands for it refuses what OpenAI's does. */

import { describe, expect, onTestFinished, test } from 'vitest';
import {
  isAtAzure,
  parseDeployment,
  validateDeployment,
  validateEndpoint,
} from '../../../src/extension/vscode/connect/azureAddresses.ts';
import { type ConnectWorldOptions, makeConnectWorld } from '../../support/connectWorld.ts';
import { findDeadAddress } from '../../support/geminiServer.ts';
import * as gpt from '../../support/responsesAnswers.ts';
import { responsesRefusal, startResponsesServer } from '../../support/responsesServer.ts';

async function startAzure(apiKey: string) {
  const server = await startResponsesServer({ apiKey });
  onTestFinished(() => server.dispose());
  return server;
}

function make(options?: ConnectWorldOptions) {
  const world = makeConnectWorld(options);
  onTestFinished(() => world.flow.dispose());
  return world;
}

test('address, deployment and key are asked for one after the other, tried together, and then written', async () => {
  const server = await startAzure('right');
  server.script([gpt.text('yes')]);
  const { flow, step, user, saved, order, keys, connected } = make();
  user.texts.push('right', server.baseUrl, 'my deployment', 'gpt-5.1');
  await flow.start('azure');
  expect(user.reported).toEqual([
    'Type an endpoint such as https://NAME.openai.azure.com. The key is asked for later.',
    expect.stringMatching(/^Type the name of the deployment/),
  ]);
  const { host } = new URL(server.baseUrl);
  expect(step('asking')).toMatchObject({
    what: `The deployment gpt-5.1 at ${host} takes a key of the resource, or your Microsoft account.`,
    actions: ['key', 'account', 'deployment', 'address'],
  });
  expect(saved).toEqual({});
  user.keys.push('wrong', 'right');
  await flow.act('key');
  expect(user.reported.at(-1)).toBe(
    `${host} rejected this key. Copy one of the two full keys under Keys and Endpoint in the Azure portal, and try again.`,
  );
  expect([connected(), keys['openai-responses']]).toEqual([1, 'right']);
  expect(saved).toEqual({
    provider: 'openai-responses',
    model: 'gpt-5.1',
    'openaiResponses.baseUrl': server.baseUrl,
    'openaiResponses.signIn': 'key',
  });
  expect(order.at(-1)).toBe('provider');
  const { body } = server.requests.at(-1)!;
  expect([body.model, body.tools?.length]).toEqual(['gpt-5.1', 1]);
});

test('a Microsoft account lets in without a key, and what Azure says of it is one sentence', async () => {
  const server = await startAzure('a-token');
  const typed = [server.baseUrl, 'gpt-5.1'];
  const nobody = make();
  nobody.user.texts.push(...typed);
  await nobody.flow.start('azure');
  await nobody.flow.act('account');
  expect(nobody.step('stuck').problem).toBe('Nobody signed in. Sign in to Microsoft, then retry.');

  const stranger = make({ token: 'another' });
  stranger.user.texts.push(...typed);
  await stranger.flow.start('azure');
  await stranger.flow.act('account');
  expect(stranger.step('stuck').problem).toMatch(
    /denies access to your Microsoft account\. Ask for the role/,
  );
  expect(stranger.saved).toEqual({});

  server.script(
    responsesRefusal(404, 'The API deployment for this resource does not exist.', 'DeploymentNotFound'),
    [gpt.text('yes')],
  );
  const { flow, step, user, saved, keys, steps, connected } = make({ token: 'a-token' });
  user.texts.push(...typed);
  await flow.start('azure');
  await flow.act('account');
  expect(steps).toContainEqual(expect.objectContaining({ doing: 'Signing in to Microsoft…' }));
  expect(step('stuck').problem).toMatch(
    /has no deployment "gpt-5\.1"\. Type its name as the Azure portal shows it/,
  );
  user.texts.push('gpt-5');
  await flow.act('deployment');
  await flow.act('account');
  expect([connected(), keys]).toEqual([1, {}]);
  expect(saved).toMatchObject({ model: 'gpt-5', 'openaiResponses.signIn': 'entra' });
});

test('leaving a field leads back, and an address where nothing listens is named', async () => {
  const { flow, step, user, connected } = make();
  await flow.start('azure');
  expect(flow.connecting.step).toBeUndefined();
  const dead = await findDeadAddress();
  user.texts.push(`${dead}/openai/deployments/gpt-5/responses?api-version=preview`);
  await flow.start('azure');
  expect(step('asking').what).toContain('The deployment gpt-5 at ');
  await flow.act('address');
  expect(step('asking').what).toContain('The deployment gpt-5 at ');
  user.keys.push('mine');
  await flow.act('key');
  expect(step('stuck').problem).toMatch(/^No response from 127\.0\.0\.1:\d+\. Compare the endpoint/);
  expect(connected()).toBe(0);
});

test("Azure's key does not go to OpenAI, and OpenAI's way leaves the address at Azure behind", async () => {
  const world = make({ keys: { 'openai-responses': "Azure's" } });
  Object.assign(world.saved, {
    'openaiResponses.baseUrl': 'https://invoices.openai.azure.com/openai/v1',
    'openaiResponses.signIn': 'entra',
  });
  await world.flow.scan();
  expect(world.flow.connecting.known.azureHost).toBe('invoices.openai.azure.com');
  // Nobody types one, so nothing is tried.
  await world.flow.start('openai-responses');
  expect([world.steps, world.connected()]).toEqual([[], 0]);
  await world.chosen.saveListed('openai-responses', []);
  expect(world.saved).toMatchObject({ 'openaiResponses.baseUrl': '', 'openaiResponses.signIn': 'key' });
});

describe('an endpoint', () => {
  test.each([
    ['https://a.openai.azure.com', 'https://a.openai.azure.com/openai/v1', ''],
    ['https://a.openai.azure.com/openai/v1/', 'https://a.openai.azure.com/openai/v1', ''],
    ['https://a.openai.azure.com/openai/v1/responses', 'https://a.openai.azure.com/openai/v1', ''],
    ['https://a.services.ai.azure.com/api/projects/p', 'https://a.services.ai.azure.com/openai/v1', ''],
    [
      'https://a.cognitiveservices.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2025-01-01-preview',
      'https://a.cognitiveservices.azure.com/openai/v1',
      'gpt-5',
    ],
    ['https://g.azure-api.net/team/openai/v1', 'https://g.azure-api.net/team/openai/v1', ''],
  ])('%s becomes the address of requests', (typed, address, name) => {
    expect(validateEndpoint(typed)).toBeUndefined();
    expect(parseDeployment(` ${typed} `)).toEqual({ address, name });
    expect(isAtAzure(address)).toBe(true);
  });

  test('is told from what is none', () => {
    expect(isAtAzure('https://api.openai.com/v1')).toBe(false);
    expect(isAtAzure('https://azure.com.example.net/v1')).toBe(false);
    expect(isAtAzure('')).toBe(false);
    expect(validateDeployment(`sk-proj-${'a1'.repeat(20)}`)).toMatch(/^This is a key\./);
  });
});
