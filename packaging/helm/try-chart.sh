#!/usr/bin/env bash
# Checks the chart: helm lint, and every rendering against the schemas of Kubernetes. Needs Go and the module proxy.
# `try-chart.sh FOLDER`: FOLDER keeps the tools and the schemas, so that a second run is faster.
set -euo pipefail
work=$(realpath -m "${1:?usage: try-chart.sh FOLDER}")
cd "$(dirname "$0")"
mkdir -p "$work"
export GOBIN=$work/bin
[ -x "$work/bin/helm" ] || go install helm.sh/helm/v3/cmd/helm@v3.22.0
[ -x "$work/bin/kubeconform" ] || go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
if [ ! -e "$work/schemas/_definitions.json" ]; then
  module=$(go mod download -json k8s.io/kubernetes@v1.34.0 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  node schemas.mjs "$module/api/openapi-spec/swagger.json" "$work/schemas"
fi

render() {
  "$work/bin/helm" template release stellar-teller --kube-version 1.34 --values examples/image.yaml "$@"
}
valid() {
  "$work/bin/kubeconform" -strict -summary -schema-location "$work/schemas/{{.ResourceKind}}{{.KindSuffix}}.json"
}
"$work/bin/helm" lint --strict stellar-teller --values examples/image.yaml
render | valid
for values in examples/*.yaml; do
  echo "$values"
  render --values "$values" | valid
done

# What must not pass.
if render | sed 's/replicas:/replicsa:/' | valid; then
  echo 'The schemas accept a misspelt field.'
  exit 1
fi
for wrong in config.PORT=1 secret=x deployments.api.replicas=-1 'deployments.api.roles={api,other}' \
  secrets.MASTER_KEY=null deployments.worker=null config.MASTER_KEY=x; do
  if render --set "$wrong" >/dev/null 2>&1; then
    echo "The chart accepts $wrong."
    exit 1
  fi
done
if "$work/bin/helm" template release stellar-teller --kube-version 1.34 >/dev/null 2>&1; then
  echo 'The chart accepts no image.'
  exit 1
fi
echo 'The chart is valid.'
