// Writes api/openapi.yaml as one page to read in a browser, which fetches nothing:
// node scripts/api-page.mjs PAGE. It is for developers of the game, and never served to players.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { parse } = createRequire(new URL('../webapp/package.json', import.meta.url))('yaml');

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const viewer = 'webapp/node_modules/swagger-ui-dist';

// What stands in a script must not end it; \x3c is the same letter to JavaScript.
const within = (script) => script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>MCBK: the API</title>
<style>${read(`${viewer}/swagger-ui.css`)}
.scheme-container { display: none }</style>
<div id="api"></div>
<script>${within(read(`${viewer}/swagger-ui-bundle.js`))}</script>
<script>
  SwaggerUIBundle({
    dom_id: '#api', spec: ${within(JSON.stringify(parse(read('api/openapi.yaml'))))},
    validatorUrl: null, supportedSubmitMethods: [], defaultModelsExpandDepth: 0,
  });
</script>
`;
writeFileSync(process.argv[2], page);
