// The packages of the browser tests, beside the build.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
export const packages = join(process.env.HOLDFAST_BUILD, "web_tests");

// Once for each lock file.
export function install() {
    const lock = join(here, "package-lock.json");
    const known = join(packages, "installed.json");
    if (existsSync(known) && readFileSync(known, "utf8") === readFileSync(lock, "utf8")) return;
    mkdirSync(packages, { recursive: true });
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(join(here, name), join(packages, name));
    execFileSync("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: packages, stdio: "inherit" });
    copyFileSync(lock, known);
}
