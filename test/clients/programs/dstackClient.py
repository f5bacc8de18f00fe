"""REST v2 and GraphQL through the module with which dstack calls this cloud."""
import os

from dstack._internal.core.backends.runpod import api_client
from report import equal, report, until

# The addresses are constants of the module. Nothing else of it is changed.
api_client.API_V2_URL = f"{os.environ['ADDRESS']}/rest/v2"
api_client.API_GRAPHQL_URL = f"{os.environ['ADDRESS']}/graphql"

client = api_client.RunpodApiClient(os.environ["KEY"])
CONTAINER = {"image_name": os.environ["IMAGE"], "entrypoint": ["/bin/sh", "-c"]}
CONTAINER["cmd"] = ["trap 'exit 0' TERM; while :; do sleep 0.1; done"]
POD = {"cloud": "SECURE", "cpu_type_id": "cpu3c", "cpu_count": 2, "container_disk_in_gb": 10, **CONTAINER}
DATA_CENTER = "EU-RO-1"
GPU = "NVIDIA GeForce RTX 3080"


def refused(status, call):
    try:
        call()
    except api_client.RunpodV2ClientError as error:
        equal(error.status, status)
        return error
    raise AssertionError("it was not refused")


def validate_api_key():
    equal(client.validate_api_key(), True)
    equal(api_client.RunpodApiClient("rpa_wrong").validate_api_key(), False)


def registry_credentials():
    made = client.create_container_registry_credentials(name="dstack", username="person", password="secret")
    equal([one["id"] for one in client.list_container_registry_credentials()], [made["id"]])
    client.delete_container_registry_credentials(made["id"])
    equal(client.list_container_registry_credentials(), [])


def network_volume():
    made = client.create_network_volume(name="dstack", data_center_id=DATA_CENTER, size=10)
    equal(client.get_network_volume(made["id"]), made)
    equal([made["name"], made["size"], made["dataCenter"]], ["dstack", 10, DATA_CENTER])
    equal(client.delete_network_volume(made["id"]), True)
    equal(client.get_network_volume(made["id"]), None)
    equal(client.delete_network_volume(made["id"]), False)


def pod():
    made = client.create_pod(name="plain", ports=["22/tcp"], env={"A": "1"}, **POD)
    try:
        running = until(lambda: client.get_pod(made["id"]), lambda one: one["status"] == "RUNNING")
        [port] = [one for one in running["runtime"]["ports"] if one["private"] == 22]
        assert port["public"] and port["ip"], port
    finally:
        equal(client.terminate_pod(made["id"]), True)
    equal(client.get_pod(made["id"])["status"], "TERMINATED")
    equal(client.get_pod("none"), None)
    equal(client.terminate_pod("none"), False)


def pod_with_volume():
    volume = client.create_network_volume(name="of a Pod", data_center_id=DATA_CENTER, size=10)
    credentials = client.create_container_registry_credentials(name="of a Pod", username="person", password="secret")
    made = client.create_pod(
        name="with a volume",
        data_center_ids=[DATA_CENTER],
        network_volume_id=volume["id"],
        volume_mount_path="/data",
        container_registry_credentials_id=credentials["id"],
        **POD,
    )
    try:
        equal(made["mounts"], {"network": [{"volumeId": volume["id"], "path": "/data"}]})
        # What is in use stays.
        refused(400, lambda: client.delete_network_volume(volume["id"]))
    finally:
        equal(client.terminate_pod(made["id"]), True)
    equal(client.delete_network_volume(volume["id"]), True)
    client.delete_container_registry_credentials(credentials["id"])


def gpu_pod():
    made = client.create_pod(
        name="with a GPU",
        cloud="SECURE",
        gpu_type_id=GPU,
        gpu_count=1,
        min_cpu_count_per_gpu=1,
        min_memory_in_gb_per_gpu=1,
        container_disk_in_gb=10,
        **CONTAINER,
    )
    equal(client.terminate_pod(made["id"]), True)


def gpu_pod_graphql():
    made = client.create_gpu_pod_graphql(
        name="by GraphQL", image_name=CONTAINER["image_name"], gpu_type_id=GPU, cloud_type="SECURE", docker_args=""
    )
    equal(client.terminate_pod(made["id"]), True)


def create_cluster():
    made = client.create_cluster(
        name="cluster",
        cluster_type="TRAINING",
        gpu_type_id=GPU,
        gpu_count_per_pod=1,
        pod_count=2,
        container_disk_in_gb=10,
        **CONTAINER,
    )
    equal(client.delete_cluster(made["id"]), True)


report(
    {
        "validate_api_key": validate_api_key,
        "create, list, delete_container_registry_credentials": registry_credentials,
        "create, get, delete_network_volume": network_volume,
        "create_cluster": create_cluster,
        "list_cluster_pods": lambda: equal(client.list_cluster_pods("none"), []),
        "delete_cluster": lambda: equal(client.delete_cluster("none"), False),
        "create, get, terminate_pod": pod,
        "create_pod with a network volume and credentials": pod_with_volume,
        "create_pod with a GPU": gpu_pod,
        "create_gpu_pod_graphql": gpu_pod_graphql,
    }
)
