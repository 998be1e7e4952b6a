// Validates .glb files: node check.mjs FOLDER FILE..., FOLDER with the validator in its node_modules.  Ends with an error if any has errors or warnings.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const validator = createRequire(resolve(process.argv[2], 'package.json'))('gltf-validator');
let bad = 0;
for (const file of process.argv.slice(3)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 20 });
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  const { animationCount, drawCallCount, totalVertexCount } = report.info;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos; ${animationCount} animations, ${drawCallCount} meshes, ${totalVertexCount} vertices`);
  if (numErrors + numWarnings > 0) {
    bad += 1;
    console.log(messages);
  }
}
process.exit(bad > 0 ? 1 : 0);
