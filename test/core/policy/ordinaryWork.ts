/**
 * Command lines of ordinary work, in an order in which an agent may run them. Behind `##` stands what a line needs that
 * the sandbox does not give: hosts, a folder, or to run outside.
 */
export const ordinaryWork = `
git status --short
git log --oneline -20
ls -la src
npm ci ## registry.npmjs.org
npm test
npm test -- --watch=false
npx vitest run test/invoice.test.ts
npx vitest run test/invoice.test.ts -t "rounds"
npx jest src/cart
npx jest --coverage
npm run build
npm run lint
npm run lint -- --fix
npm run typecheck
npx tsc --noEmit
npx tsc -p tsconfig.build.json
npx eslint src --fix
npx eslint src/cart.ts
npx prettier --write src
npx prettier --check .
npx biome check --write src
npm run format
npm run docs
npm run build 2>&1 | tail -20
npm test 2>&1 | tail -40
npm test > /tmp/out.txt 2>&1; tail -30 /tmp/out.txt
node scripts/generate.js
node -e "console.log(require('./package.json').version)"
node --test
node --check src/index.js
npm install lodash ## registry.npmjs.org
npm install -D vitest ## registry.npmjs.org
npm outdated ## registry.npmjs.org
npm ls --depth=0
npm pkg get scripts
npm run dev & sleep 2; curl -s localhost:3000/health
yarn install ## registry.yarnpkg.com
yarn test
yarn build
pnpm install ## registry.npmjs.org
pnpm test
pnpm -r build
bun test
deno test
deno fmt
make
make test
make -j4 all
make clean
make lint
cmake -S . -B build
cmake --build build
ctest --test-dir build
gcc -o hello hello.c && ./hello
g++ -std=c++20 -Wall -o app main.cpp
clang-format -i src/main.cpp
cargo build ## index.crates.io static.crates.io
cargo test
cargo test --workspace
cargo check
cargo clippy --all-targets
cargo fmt
cargo run -- --help
cargo bench
cargo doc --no-deps
rustfmt src/main.rs
go build ./...
go test ./...
go test -run TestCart ./cart
go vet ./...
gofmt -w .
go mod tidy ## proxy.golang.org
go run ./cmd/app
go generate ./...
python3 -m pytest
python3 -m pytest tests/test_cart.py -x
python3 -m pytest -k rounding -q
pytest
pytest --cov=shop
python3 -m venv .venv
.venv/bin/pip install -r requirements.txt ## pypi.org files.pythonhosted.org
.venv/bin/pip install -e .
pip list
python3 manage.py test
python3 manage.py migrate
python3 manage.py makemigrations
python3 setup.py build
python3 scripts/clean_data.py data/in.csv data/out.csv
python3 -c "import json; print(json.load(open('a.json'))['x'])"
ruff check --fix .
ruff format .
black src
isort .
mypy src
pylint shop
flake8 shop
tox -e py312
poetry install
poetry run pytest
uv sync
uv run pytest
./gradlew test ## services.gradle.org repo.maven.apache.org
./gradlew build
./gradlew spotlessApply
mvn -q test
mvn package -DskipTests
javac -d out src/Main.java
java -cp out Main
dotnet build
dotnet test
dotnet format
bundle install ## rubygems.org
bundle exec rspec
bundle exec rubocop -a
bin/rails test
rake test
composer install ## repo.packagist.org
vendor/bin/phpunit
php -l index.php
mix test
mix format
swift build
swift test
stack test
zig build test
git add -A
git add src/cart.ts test/cart.test.ts
git commit -m "Round each line before the sum"
git commit --amend --no-edit
git checkout -b fix-rounding
git switch main
git branch -d old-branch
git stash
git stash pop
git diff --stat
git diff HEAD~1
git show HEAD
git blame src/cart.ts
git fetch ## outside
git pull --rebase ## outside
git push ## outside
git merge feature
git rebase main
git cherry-pick abc123
git tag v1.2.0
git restore src/cart.ts
git reset HEAD src/cart.ts
git mv a.ts b.ts
git rm --cached big.bin
git worktree list
git bisect start
git apply fix.patch
git format-patch -1
git config --get user.name
git ls-files | wc -l
grep -rn "round" src
rg "toFixed" --type ts
rg -l TODO
find . -name "*.test.ts" -not -path "./node_modules/*"
find src -name "*.ts" | xargs wc -l
fd cart
wc -l src/*.ts
head -50 src/cart.ts
sed -n 10,40p src/cart.ts
cat package.json | jq .scripts
jq '.version' package.json
sed -i 's/toFixed(2)/round2()/' src/cart.ts
sed -i "s/old/new/g" $(grep -rl old src)
for f in src/*.js; do mv "$f" "\${f%.js}.ts"; done
mkdir -p src/money test/money
touch src/money/index.ts
mv src/round.ts src/money/round.ts
cp config.example.json config.json
cp -r templates/basic out
rm src/old.ts
rm -rf dist
rm -rf node_modules package-lock.json
chmod +x scripts/run.sh
./scripts/run.sh
bash scripts/setup.sh
sh -c 'echo $PATH'
echo "export const version = 2;" > src/version.ts
cat > notes.md <<'END'
cat a.txt b.txt > c.txt
tee log.txt < in.txt
sort data.csv | uniq -c | sort -rn | head
awk -F, '{s+=$3} END {print s}' data.csv
tar -czf release.tar.gz dist
tar -xzf fixture.tar.gz -C test/fixtures
unzip -o data.zip -d data
zip -r dist.zip dist
diff -u a.txt b.txt
patch -p1 < fix.patch
curl -s https://api.github.com/repos/a/b ## api.github.com
sqlite3 app.db "select count(*) from orders"
protoc --go_out=. api.proto
openssl version
ffmpeg -i in.mp4 out.gif
convert logo.svg logo.png
which node && node --version
env | sort
date
time npm test
timeout 60 npm test
npm run e2e -- --grep checkout
npx playwright test
npx tsx scripts/migrate.ts
npx prisma generate
npx webpack --mode production
npx vite build
npx rollup -c
npx next build
docker build -t app . ## outside
docker compose up -d ## outside
terraform fmt
shellcheck scripts/*.sh
shfmt -w scripts
hadolint Dockerfile
yamllint .
markdownlint docs
`
  .trim()
  .split('\n')
  .map(row => {
    const [line = '', needs = ''] = row.split(' ## ');
    // A here document is the only line of two.
    const command = line.endsWith("<<'END'") ? `${line}\n- one\nEND` : line;
    return { command, needs: needs.split(' ').filter(Boolean) };
  });
