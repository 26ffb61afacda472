// Runs the npm package feelin on the gateway condition and prints evaluations per second of
// processor time.
// usage: node feelin.mjs FOLDER_WITH_NODE_MODULES EXPRESSION VARIABLES SECONDS
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [folder, expression, variables, seconds] = process.argv.slice(2);
const path = createRequire(pathToFileURL(folder + '/')).resolve('feelin');
const {evaluate} = await import(pathToFileURL(path));
const context = JSON.parse(variables);

function rate(duration) {
    const begin = process.cpuUsage();
    let count = 0;
    let elapsed = 0;
    while (elapsed < duration) {
        for (let i = 0; i < 100; ++i, ++count) {
            const result = evaluate(expression, context);
            if ((result?.value ?? result) !== true)
                throw new Error('unexpected result: ' + JSON.stringify(result));
        }
        const used = process.cpuUsage(begin);
        elapsed = (used.user + used.system) / 1e6;
    }
    return count / elapsed;
}

rate(1);  // lets the compiler warm up
console.log(rate(Number(seconds)));
