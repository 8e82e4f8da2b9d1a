/*
 * English as programs without a window say it: in place of a command of the palette, a settings page or a button each
 * names the option, variable, file or slash command that exists there. Headless runs and clients of the Agent Client Protocol have the same ones. A test
 * holds that no message of the core that names one of them is missing.
 */

export const wordsWithoutWindow: Readonly<Record<string, string>> = {
  'Even without the conversation before it the next request would be about {0} tokens, and the model takes {1}. Choose a model that takes more with "Folio: Select Model", or ask for less in a new session.':
    'Even without the conversation before it the next request would be about {0} tokens, and the model takes {1}. Choose a model that takes more with --model or /model, or ask for less in a new session.',
  'Folio met a fault of its own ({0}). Retry, or look at the log with "Folio: Open Log".':
    'Folio met a fault of its own ({0}). Retry, or report it: /bug writes down what is needed.',
  'No Anthropic API key is set. Run "Folio: Set API Key", or set ANTHROPIC_API_KEY.':
    'No Anthropic API key is set. Set the variable ANTHROPIC_API_KEY, or store a key with --sign-in.',
  'No Gemini API key is set. Run "Folio: Set API Key", or set GEMINI_API_KEY.':
    'No Gemini API key is set. Set the variable GEMINI_API_KEY, or store a key with --sign-in.',
  'No OpenAI API key is set. Run "Folio: Set API Key", or set OPENAI_API_KEY.':
    'No OpenAI API key is set. Set the variable OPENAI_API_KEY, or store a key with --sign-in.',
  'No OpenAI API key is set. Run "Folio: Set API Key", set OPENAI_API_KEY, or name a server that needs none with the setting folio.openai.baseUrl.':
    'No OpenAI API key is set. Set the variable OPENAI_API_KEY, or name a server that needs none with --base-url.',
  'Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key with "Folio: Set API Key", then retry.':
    'Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key in AWS_BEARER_TOKEN_BEDROCK, then retry.',
  'The API key of {0} holds characters that no key has. Set it again with "Folio: Set API Key".':
    'The API key of {0} holds characters that no key has. Set its variable again.',
  'The context was not compressed, because Folio met a fault of its own ({0}). Look at the log with "Folio: Open Log".':
    'The context was not compressed, because Folio met a fault of its own ({0}). Report it: /bug writes down what is needed.',
  'The context was not compressed: the summary that came is empty or broken. The conversation stays as it was; compress again with "Folio: Compress Context".':
    'The context was not compressed: the summary that came is empty or broken. The conversation stays as it was; compress again with /compress.',
  'The context was not compressed: what would have to be summarised is longer than the model can read. Go back to an earlier prompt, or choose a model that reads more with "Folio: Select Model".':
    'The context was not compressed: what would have to be summarised is longer than the model can read. Go back to an earlier prompt, or choose a model that reads more with --model or /model.',
  'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session".':
    'The conversation is longer than the model can read. Shorten it with /compress, or start a new session.',
  'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", start a new session with "Folio: New Session", or, if this comes early, tell Folio how much fits with the setting {0}.':
    'The conversation is longer than the model can read. Shorten it with /compress, start a new session, or, if this comes early, say how much fits with {0} in a settings file.',
  'The extension {0} needs {1}. Use “Folio: Set Up Extension”, or name it in the .env of the extension.':
    'The extension {0} needs {1}. Name it in the .env of the extension.',
  'The model "{0}" is offered only through OpenAI\'s Responses. Choose "OpenAI" with "Folio: Connect a Model", or choose another model.':
    'The model "{0}" is offered only through OpenAI\'s Responses. Choose --provider openai-responses, or choose another model.',
  'The next request would be about {0} tokens, and the model takes {1}. Compress the context with "Folio: Compress Context", then retry.':
    'The next request would be about {0} tokens, and the model takes {1}. Compress the context with /compress, then retry.',
  'The provider lists no model that "auto" could mean. Name one with the setting folio.auto.strongModel, or choose one with "Folio: Select Model".':
    'The provider lists no model that "auto" could mean. Name one with --model.',
  'not available, see “Folio: Show Servers, Commands, Agents and Skills”':
    'not available; the reason is printed at the start of a run',
  '{0} cannot work with the request ({1}). Choose another model with "Folio: Select Model", or start a new session with "Folio: New Session".':
    '{0} cannot work with the request ({1}). Choose another model with --model or /model, or start a new session.',
  '{0} does not let this API key use the model "{1}". Choose another model with "Folio: Select Model".':
    '{0} does not let this API key use the model "{1}". Choose another model with --model or /model.',
  '{0} has "{1}" in no region automatically. Choose an id that says where it may run, such as one that begins with "global." or "eu.", with "Folio: Select Model".':
    '{0} has "{1}" in no region automatically. Choose an id that says where it may run, such as one that begins with "global." or "eu.", with --model or /model.',
  '{0} has no model "{1}". Choose another model with "Folio: Select Model".':
    '{0} has no model "{1}". Choose another model with --model or /model.',
  '{0} rejected the API key, which {1}. Set the right one with "Folio: Set API Key", or choose its provider with "Folio: Connect a Model".':
    '{0} rejected the API key, which {1}. Set the right one in its variable, or choose its provider with --provider.',
  '{0} rejected the API key. Set a valid one with "Folio: Set API Key".':
    '{0} rejected the API key. Set a valid one in the variable of its provider.',
  '{0} says that there is no quota left ({1}). Choose another model with "Folio: Select Model", or see to the account.':
    '{0} says that there is no quota left ({1}). Choose another model with --model or /model, or see to the account.',
  '{0} wants an API key. Set one with "Folio: Set API Key", or set {1}.':
    '{0} wants an API key. Set the variable {1}.',
  'A proxy on the way to {0} wants a login. Check the setting http.proxy of VS Code, or HTTPS_PROXY where there is no window, then retry.':
    'A proxy on the way to {0} wants a login. Check the variable HTTPS_PROXY or HTTP_PROXY, then retry.',
  'Cannot reach the proxy for {1} at {0} (ECONNREFUSED). Start it or change its address (setting http.proxy of VS Code or variable HTTPS_PROXY), then retry.':
    'Cannot reach the proxy for {1} at {0} (ECONNREFUSED). Start it or change its address in the variable HTTPS_PROXY, then retry.',
  'the network, and the proxy where you use one (setting http.proxy of VS Code or variable HTTPS_PROXY)':
    'the network, and the proxy where you use one (variable HTTPS_PROXY)',
  'Your proxy, of the setting "http.proxy" or of HTTP_PROXY and HTTPS_PROXY, is neither an http nor an https address, and no other leads commands out of the sandbox.':
    'Your proxy, of HTTP_PROXY and HTTPS_PROXY, is neither an http nor an https address, and no other leads commands out of the sandbox.',
  "Only Gemini's models read web pages automatically. Choose them with the setting folio.provider.":
    "Only Gemini's models read web pages automatically. Choose them with --provider gemini.",
  'Models of this provider do not search the web. Set folio.webSearchCommand, or choose others with folio.provider.':
    'Models of this provider do not search the web. Set folio.webSearchCommand in your settings.json, or choose others with --provider.',
  "VS Code's own models need a window of VS Code. Choose another provider with the setting folio.provider.":
    "VS Code's own models need a window of VS Code. Choose another provider with --provider.",
  '"auto" means the first model that the provider lists. Name others with the settings folio.auto.strongModel and folio.auto.fastModel.':
    '"auto" means the first model that the provider lists. Name others as folio.auto.strongModel and folio.auto.fastModel in your settings.json.',
  'the setting {0}': '{0} in your settings.json',
  'The setting folio.webSearchCommand has no {0}.':
    'In your settings.json folio.webSearchCommand has no {0}.',
  'The extension {0} is still disabled by the setting folio.disabled. Remove it from that setting in ~/.gemini/settings.json.':
    'The extension {0} is still disabled by folio.disabled. Remove it from ~/.gemini/settings.json.',
  'Set "folio.sandbox" to "on". Until then commands and tools that do more than read ask each time, in every mode.':
    'Run with --sandbox on. Until then commands and tools that do more than read ask each time, in every mode.',
  'The settings want commands to run in a sandbox, and "folio.sandbox" is not on.':
    'The settings want commands to run in a sandbox, and --sandbox on is not given.',
  'The sandbox of macOS does not hold here: a command in it {0} what it must not. Set "folio.sandbox" to "ask".':
    'The sandbox of macOS does not hold here: a command in it {0} what it must not. Run without --sandbox on.',
  'The sandbox of macOS does not work here: a command in it could not write to its own temporary folder. Set "folio.sandbox" to "ask".':
    'The sandbox of macOS does not work here: a command in it could not write to its own temporary folder. Run without --sandbox on.',
  'There is no sandbox for commands on Windows. Open the folder in WSL, where there is one, or set "folio.sandbox" to "ask".':
    'There is no sandbox for commands on Windows. Open the folder in WSL, where there is one, or run without --sandbox on.',
  'The setting folio.agents.external no longer has an agent {0}. Add it with "Folio: Add Agent…", or start another session.':
    'folio.agents.external no longer has an agent {0}. Add it to ~/.gemini/settings.json, give --agent-command, or start another session.',
  '{0} is disabled in the settings.': '{0} is disabled in a settings file.',
};
